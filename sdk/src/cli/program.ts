import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import {
  addConfigFlags,
  createShutdown,
  exitCodeFor,
  formatError,
  loadConfig,
  type Shutdown,
  toGpuchainError,
} from "../daemon/index.ts";
import { createOutput, toJson } from "./output.ts";
import { plain } from "./plain.ts";
import { createSession, type Session } from "./session.ts";
import { settingsTable } from "./settings.ts";

const epilogue = `
Exit codes: 0 done; 1 it failed; 2 wrong usage; 130 stopped by Ctrl-C.
Keys: --keystore with its password from --password-file, from GPUCHAIN_PASSWORD, or typed; on test networks
GPUCHAIN_PRIVATE_KEY. Never on the command line.
`;

/** The \`gpuchain\` command. @param onExit told the exit code in the end */
export function createCli(onExit: (code: number) => void): Command {
  const program = new Command("gpuchain")
    .description(
      "Post training jobs, watch them, take the model. Your budget is locked in the Escrow and pays for accepted steps only.",
    )
    .configureHelp({ showGlobalOptions: true, helpWidth: 110 })
    .showHelpAfterError("(see gpuchain --help)")
    .exitOverride()
    .version(version(), "--version", "print the version")
    .addHelpText("after", epilogue);
  addConfigFlags(program, settingsTable);

  /** Adds a command; `run` gets a session and the command's arguments and options. */
  function add<Options extends object>(
    usage: string,
    description: string,
    examples: readonly string[],
    run: (session: Session, args: (string | undefined)[], options: Options, rest: string[]) => void | Promise<void>,
  ): Command {
    const command = program
      .command(usage)
      .description(description)
      .exitOverride()
      .addHelpText("after", `\nExamples:\n${examples.map((line) => `  ${line}`).join("\n")}`);
    return command.action(async () => {
      // Taken over when there is something to wind up; until then, e.g. while a large file is read, Ctrl-C ends the process at once.
      const taken: { over?: Shutdown } = {};
      const begun = () => {
        taken.over ??= createShutdown();
        return taken.over;
      };
      let json = program.opts().json === true;
      try {
        const settings = loadConfig(settingsTable, { flags: program.opts(), env: process.env });
        json = settings.json;
        const session = createSession(settings, createOutput(settings.json), begun);
        await run(session, command.processedArgs, command.opts<Options>(), command.args);
        taken.over?.signal.throwIfAborted();
        onExit(0);
      } catch (error) {
        const known = toGpuchainError(taken.over?.signal.aborted ? taken.over.signal.reason : error);
        process.stderr.write(`${plain(formatError(known))}\n`);
        if (json) {
          const { code, message, hint, data } = known;
          process.stdout.write(`${toJson({ error: { code, message, hint, data } })}\n`);
        }
        onExit(exitCodeFor(known));
      } finally {
        await taken.over?.close();
      }
    });
  }
  // Commands are loaded when they run: help and completion need not wait for the training room.
  const text = (value: string | undefined): string => value ?? "";

  add(
    "init <file>",
    "write a job file with comments to start from",
    [
      "gpuchain init mails.jsonc --data mails.csv",
      "gpuchain init lora.jsonc --data mails.csv --base distilbert-base-uncased",
      "gpuchain init prose.jsonc --data prose.txt",
      "gpuchain init table.jsonc --template mlp --data table.csv",
    ],
    async ({ output }, [file], options) => (await import("./commands/init.ts")).init(output, text(file), options),
  )
    .option(
      "--template <name>",
      "text-classification, text-classification-lora, language-model or mlp (default: by the data)",
    )
    .option("--data <file>", "your data: labelled texts or numbers as .csv or .jsonl, a plain text as .txt")
    .option("--text <column>", "the column with the text (default: guessed)")
    .option("--label <column>", "the column with the class (default: guessed)")
    .option("--features <columns>", "mlp: columns of numbers, separated by commas (default: all that hold numbers)")
    .option("--base <folder>", "text-classification-lora: a Hugging Face folder of a BERT or DistilBERT")
    .option("--title <text>", "a name for people")
    .option("--steps <n>", "training steps (default: 400)")
    .option("--interval <n>", "steps from one checkpoint to the next (default: 50)")
    .option("--dispute-window <seconds>", "how long you can contest accepted work (default: 600, on a local chain 5)");
  add(
    "check <file>",
    "read a job file and its data and say what would be posted; needs no network",
    ["gpuchain check mails.jsonc"],
    async ({ output }, [file]) => (await import("./commands/check.ts")).check(output, text(file)),
  );
  add(
    "estimate <file>",
    "what a job would cost, and how long it would take, with the providers registered now",
    ["gpuchain estimate mails.jsonc --network base-sepolia"],
    async (session, [file]) => (await import("./commands/estimate.ts")).estimate(session, text(file)),
  );
  add<{ budget?: string; name?: string }>(
    "post <file>",
    "post a job, lock its budget, upload its data; run it again to go on after a crash",
    ["gpuchain post mails.jsonc --keystore key.json", "gpuchain post mails.jsonc --budget 5 --name second-run"],
    async (session, [file], options) => (await import("./commands/post.ts")).post(session, text(file), options),
  )
    .option("--budget <usdc>", "what to lock, instead of the job file's (default: the worst case)")
    .option("--name <text>", "your name for this job: the same name never posts twice (default: the job's content)");
  add<{ until?: string; steps?: boolean }>(
    "watch <job>",
    "follow a job until all is paid",
    ["gpuchain watch 1", "gpuchain watch 1 --json --until completed"],
    async (session, [job], options) => (await import("./commands/watch.ts")).watch(session, text(job), options),
  )
    .option("--until <state>", "settled, completed, or checkpoint: the next accepted one (default: settled)")
    .option("--no-steps", "only what happens on chain");
  add<{ all?: boolean; limit?: string }>(
    "list",
    "jobs of your key, newest first",
    ["gpuchain list", "gpuchain list --all --limit 50 --json"],
    async (session, _args, options) => (await import("./commands/list.ts")).list(session, options),
  )
    .option("--all", "everybody's")
    .option("--limit <n>", "at most this many (default: 20)");
  add(
    "show <job>",
    "all about a job: terms, lease, judges, checkpoints, money",
    ["gpuchain show 1"],
    async (session, [job]) => (await import("./commands/show.ts")).show(session, text(job)),
  );
  add<{ out?: string; checkpoint?: string }>(
    "fetch <job>",
    "download the model, with a proof of where it comes from",
    ["gpuchain fetch 1 --out model", "gpuchain fetch 1 --checkpoint 3"],
    async (session, [job], options) => (await import("./commands/fetch.ts")).fetchModel(session, text(job), options),
  )
    .option("--out <dir>", "where to put it (default: job-<number>)")
    .option("--checkpoint <n>", "an intermediate one, by its number (default: the newest accepted)");
  add(
    "predict <folder> <inputs...>",
    "run a fetched model: classify texts or rows of numbers, continue texts",
    ['gpuchain predict job-1 "win money now"', "gpuchain predict job-2 5.1,3.5,1.4,0.2"],
    async ({ output }, [folder], _options, rest) =>
      (await import("./commands/predict.ts")).predict(output, text(folder), rest.slice(1)),
  );
  add<{ checkpoint?: string; replay?: boolean; runtime?: string; threads?: string }>(
    "verify <job>",
    "re-run what was paid for, and the evaluation, on this machine",
    ["gpuchain verify 1", "gpuchain verify 1 --checkpoint 3 --runtime wasm"],
    async (session, [job], options) => (await import("./commands/verify.ts")).verify(session, text(job), options),
  )
    .option("--checkpoint <n>", "by its number (default: the newest accepted)")
    .option("--no-replay", "only the evaluation")
    .option("--runtime <name>", "native or wasm (default: native)")
    .option("--threads <n>", "threads (default: 2)");
  add<{ checkpoint: string; reason: string }>(
    "dispute <job>",
    "contest an accepted checkpoint and all after it, with a bond",
    ['gpuchain dispute 1 --checkpoint 3 --reason "verify fails"'],
    async (session, [job], options) => (await import("./commands/money.ts")).dispute(session, text(job), options),
  )
    .requiredOption("--checkpoint <n>", "the first one that is contested")
    .requiredOption("--reason <text>", "your reason; only its hash goes on chain");
  add(
    "cancel <job>",
    "wind a job up: accepted work is paid, the rest comes back",
    ["gpuchain cancel 1"],
    async (session, [job]) => (await import("./commands/money.ts")).cancel(session, text(job)),
  );
  add<{ to?: string }>(
    "withdraw",
    "pay out all that your key may claim",
    ["gpuchain withdraw", "gpuchain withdraw --to 0x…"],
    async (session, _args, options) => (await import("./commands/money.ts")).withdraw(session, options),
  ).option("--to <address>", "where to (default: the key's own address)");
  add(
    "balance [address]",
    "USDC in the wallet and in the Escrow",
    ["gpuchain balance", "gpuchain balance 0x…"],
    async (session, [address]) => (await import("./commands/money.ts")).balance(session, address),
  );
  add(
    "faucet [usdc]",
    "take test USDC, on networks that have a faucet",
    ["gpuchain faucet", "gpuchain faucet 20"],
    async (session, [amount]) => (await import("./commands/money.ts")).faucet(session, amount ?? "10"),
  );
  add(
    "completion <shell>",
    "a script that completes commands and flags in bash, zsh or fish",
    ['eval "$(gpuchain completion bash)"', "gpuchain completion fish | source"],
    async ({ output }, [shell]) => {
      const script = (await import("./commands/completion.ts")).completion(program, text(shell));
      output.result({ script }, () => script);
    },
  );
  return program;
}

/** Of the package that this file is in, built or not. */
function version(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

/** Runs the command line and gives its exit code; prints what commander itself has to say. */
export async function runCli(argv: readonly string[]): Promise<number> {
  let code = 0;
  const program = createCli((given) => {
    code = given;
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    const message = error.code === "commander.help" ? "which command? gpuchain --help lists them" : error.message;
    if (argv.includes("--json")) process.stdout.write(`${toJson({ error: { code: "USAGE", message } })}\n`);
    return 2;
  }
  return code;
}
