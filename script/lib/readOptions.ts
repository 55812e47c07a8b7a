import { type Command, CommanderError, InvalidArgumentError, type Option } from "commander";

/**
 * Reads a script's command line. What is wrong with it ends the process with code 2, and one line that names the option; `--help` with 0.
 *
 * @returns the options' values
 */
export function readOptions<T extends object>(command: Command): T {
  command.allowExcessArguments(false).exitOverride();
  // Its types leave out what its documentation names.
  for (const option of (command as Command & { options: readonly Option[] }).options) {
    const parse = option.parseArg;
    if (parse === undefined) continue;
    option.parseArg = (raw, previous) => {
      try {
        return parse(raw, previous);
      } catch (error) {
        throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
      }
    };
  }
  try {
    return command.parse().opts<T>();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exit(error.exitCode === 0 ? 0 : 2);
  }
}

/** A file to write to. An option in its place, or nothing, is a name that was forgotten. */
export function parseOutputFile(raw: string): string {
  if (raw === "" || raw.startsWith("-")) throw new InvalidArgumentError("expected the name of a file");
  return raw;
}
