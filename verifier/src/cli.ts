import { assertDeploymentAt, loadDeployment } from "@gpuchain/sdk/chain";
import { startCompute } from "@gpuchain/sdk/compute";
import {
  addConfigFlags,
  type ConfigTable,
  type ConfigValues,
  createLogger,
  createShutdown,
  exitWith,
  GpuchainError,
  loadConfig,
  type Observer,
  openObserver,
  redactConfig,
} from "@gpuchain/sdk/daemon";
import { Command } from "commander";
import { addBond, exitVerifier, register, status, withdraw, withdrawBond } from "./commands/account.ts";
import { openAccount } from "./commands/connect.ts";
import { judge } from "./commands/judge.ts";
import { type ConnectionConfig, configTable, connectionTable } from "./config.ts";
import { runVerifier } from "./verifier.ts";

/** Where a command writes, what it reads, and where its exit code goes: the process itself, or a test's. */
export interface CliTarget {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: NodeJS.Process["stderr"];
  readonly env: Readonly<Record<string, string | undefined>>;
  exitCode: NodeJS.Process["exitCode"];
}

/** Adds a command whose flags are a configuration table; every failure becomes one clear line and an exit code. */
function command<Table extends ConfigTable>(
  program: Command,
  target: CliTarget,
  usage: string,
  about: string,
  table: Table,
  run: (values: ConfigValues<Table>, args: readonly string[], context: ReturnType<typeof open>) => Promise<void>,
): void {
  const added = program.command(usage).description(about).option("--config <file>", "JSON file with settings by name");
  addConfigFlags(added, table).action(async (...given: unknown[]) => {
    const opts = added.opts<{ config?: string }>();
    const { config: file, ...flags } = opts;
    let context: ReturnType<typeof open> | undefined;
    try {
      const values = loadConfig(table, { flags, env: target.env, file });
      context = open(values as unknown as ConnectionConfig, target);
      const args = given.slice(0, -2).filter((value) => typeof value === "string");
      await run(values, args, context);
    } catch (error) {
      exitWith(error, target);
    } finally {
      await context?.shutdown.close();
    }
  });
}

function open({ log: form, logLevel }: Pick<ConnectionConfig, "log" | "logLevel">, target: CliTarget) {
  /** errors of the log go there once it is open */
  const reports: { observer?: Observer } = {};
  const log = createLogger({
    name: "verifier",
    level: logLevel,
    json: form === "json",
    destination: target.stdout,
    onError: (error, fields) => reports.observer?.error(error, fields),
  });
  const print = (line: string): void => void target.stdout.write(`${line}\n`);
  const shutdown = createShutdown();
  return { log, shutdown, signal: shutdown.signal, print, reports };
}

/** Runs the command line; the exit code is the target's. */
export async function runCli(argv: readonly string[], target: CliTarget = process): Promise<void> {
  const program = new Command("gpuchain-verifier")
    .description("Judges checkpoints, watches leaseholders' pulses and keeps the bytes of training jobs.")
    .exitOverride()
    .configureOutput({ outputError: () => undefined, writeOut: (text) => void target.stdout.write(text) });

  command(program, target, "start", "run the verifier", configTable, async (config, _args, context) => {
    const { log, signal, reports } = context;
    log.info(redactConfig(configTable, config), "settings");
    const deployment = loadDeployment(config.deployment);
    // No key is made for a network that is not there.
    await assertDeploymentAt({ rpc: config.rpc, deployment, signal, log });
    const account = await openAccount(config, { create: true, signal, log });
    signal.addEventListener("abort", () => log.info("stopping"));
    const observer = await openObserver({
      service: "gpuchain-verifier",
      instance: account.address,
      otlp: config.otlp,
      sentryDsn: config.sentryDsn,
    });
    reports.observer = observer;
    try {
      await runVerifier(config, { account, deployment, startCompute, signal, log, observer });
    } finally {
      await observer.close();
    }
  });
  command(
    program,
    target,
    "register",
    "enter the registry and put up the bond; does not run",
    configTable,
    (config, _args, context) => register(config, context),
  );
  command(
    program,
    target,
    "judge <checkpoint>",
    "judge one checkpoint again and compare with the chain; signs nothing",
    configTable,
    (config, [checkpoint], context) => judge(config, checkpoint ?? "", context),
  );
  command(
    program,
    target,
    "status",
    "show registration, seats, bond, earnings",
    connectionTable,
    (config, _args, context) => status(config, context),
  );
  command(program, target, "bond <usdc>", "add to the bond", connectionTable, (config, [amount], context) =>
    addBond(config, amount ?? "", context),
  );
  command(
    program,
    target,
    "exit",
    "take no new seats and leave once the present ones end",
    connectionTable,
    (config, _args, context) => exitVerifier(config, context),
  );
  command(
    program,
    target,
    "withdraw-bond",
    "make the bond claimable after the exit",
    connectionTable,
    (config, _args, context) => withdrawBond(config, context),
  );
  command(
    program,
    target,
    "withdraw [to]",
    "pull what is claimable, to the own address or another",
    connectionTable,
    (config, [to], context) => withdraw(config, to, context),
  );

  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    // commander has printed help or version already; anything else is wrong usage.
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!/^commander\.(helpDisplayed|help|version)$/.test(code))
      exitWith(
        new GpuchainError("USAGE", error instanceof Error ? error.message.replace(/^error: /, "") : String(error), {
          hint: "see --help",
          cause: error,
        }),
        target,
      );
  }
}
