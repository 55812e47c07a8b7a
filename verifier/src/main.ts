#!/usr/bin/env node
import { loadDeployment } from "@gpuchain/sdk/chain";
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
  redactConfig,
} from "@gpuchain/sdk/daemon";
import { Command } from "commander";
import { addBond, exitVerifier, status, withdraw, withdrawBond } from "./commands/account.ts";
import { openAccount } from "./commands/connect.ts";
import { judge } from "./commands/judge.ts";
import { type ConnectionConfig, configTable, connectionTable } from "./config.ts";
import { runVerifier } from "./verifier.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Adds a command whose flags are a configuration table; every failure becomes one clear line and an exit code. */
function command<Table extends ConfigTable>(
  program: Command,
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
      const values = loadConfig(table, { flags, env: process.env, file });
      context = open(values as unknown as ConnectionConfig);
      const args = given.slice(0, -2).filter((value) => typeof value === "string");
      await run(values, args, context);
    } catch (error) {
      exitWith(error);
    } finally {
      await context?.shutdown.close();
    }
  });
}

function open({ log: form, logLevel }: Pick<ConnectionConfig, "log" | "logLevel">) {
  const log = createLogger({ name: "verifier", level: logLevel, json: form === "json" });
  const shutdown = createShutdown();
  return { log, shutdown, signal: shutdown.signal, print };
}

const program = new Command("gpuchain-verifier")
  .description("Judges checkpoints, watches leaseholders' pulses and keeps the bytes of training jobs.")
  .exitOverride()
  .configureOutput({ outputError: () => undefined });

command(program, "start", "run the verifier", configTable, async (config, _args, context) => {
  const { log, signal } = context;
  log.info(redactConfig(configTable, config), "settings");
  const deployment = loadDeployment(config.deployment);
  const account = await openAccount(config, { create: true, signal, log });
  signal.addEventListener("abort", () => log.info("stopping"));
  await runVerifier(config, { account, deployment, startCompute, signal, log });
});
command(
  program,
  "judge <checkpoint>",
  "judge one checkpoint again and compare with the chain; signs nothing",
  configTable,
  (config, [checkpoint], context) => judge(config, checkpoint ?? "", context),
);
command(program, "status", "show registration, seats, bond, earnings", connectionTable, (config, _args, context) =>
  status(config, context),
);
command(program, "bond <usdc>", "add to the bond", connectionTable, (config, [amount], context) =>
  addBond(config, amount ?? "", context),
);
command(
  program,
  "exit",
  "take no new seats and leave once the present ones end",
  connectionTable,
  (config, _args, context) => exitVerifier(config, context),
);
command(program, "withdraw-bond", "make the bond claimable after the exit", connectionTable, (config, _args, context) =>
  withdrawBond(config, context),
);
command(
  program,
  "withdraw [to]",
  "pull what is claimable, to the own address or another",
  connectionTable,
  (config, [to], context) => withdraw(config, to, context),
);

try {
  await program.parseAsync();
} catch (error) {
  // commander has printed help or version already; anything else is wrong usage.
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!/^commander\.(helpDisplayed|help|version)$/.test(code))
    exitWith(
      new GpuchainError("USAGE", error instanceof Error ? error.message.replace(/^error: /, "") : String(error), {
        hint: "see --help",
        cause: error,
      }),
    );
}
