import type { Command } from "commander";
import { GpuchainError } from "../../daemon/index.ts";

/** A script that completes commands and flags; `eval "$(gpuchain completion bash)"`. */
export function completion(program: Command, shell: string): string {
  const flagsOf = (command: Command) =>
    command.options.map(({ long }) => long).filter((flag) => flag !== undefined && flag !== null);
  const global = flagsOf(program);
  const commands = program.commands.map((command) => ({
    name: command.name(),
    flags: [...flagsOf(command), ...global],
  }));
  const names = commands.map(({ name }) => name).join(" ");
  if (shell === "bash" || shell === "zsh") {
    const cases = commands.map(({ name, flags }) => `    ${name}) words="${flags.join(" ")}" ;;`);
    return [
      ...(shell === "zsh"
        ? [
            "whence compdef >/dev/null || { autoload -U compinit && compinit; }",
            "autoload -U +X bashcompinit && bashcompinit",
          ]
        : []),
      "_gpuchain() {",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own variables
      '  local current="${COMP_WORDS[COMP_CWORD]}" command="" word words',
      // A bare name after the colon would be a modifier to zsh.
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own variables
      '  for word in "${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do',
      `    case " ${names} " in *" $word "*) command="$word" ;; esac`,
      "  done",
      `  case "$command" in`,
      ...cases,
      `    *) words="${names} ${global.join(" ")}" ;;`,
      "  esac",
      '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
      "}",
      "complete -o default -F _gpuchain gpuchain",
    ].join("\n");
  }
  if (shell === "fish") {
    const lines = commands.flatMap(({ name, flags }) =>
      flags.map((flag) => `complete -c gpuchain -n "__fish_seen_subcommand_from ${name}" -l ${flag.slice(2)}`),
    );
    return [`complete -c gpuchain -n __fish_use_subcommand -a "${names}"`, ...lines].join("\n");
  }
  throw new GpuchainError("USAGE", `no completion for "${shell}"`, { hint: "choose bash, zsh or fish" });
}
