#!/usr/bin/env node
import {
  addConfigFlags,
  type ConfigTable,
  type ConfigValues,
  createLogger,
  createShutdown,
  exitWith,
  formatUsdc,
  isGpuchainError,
  loadConfig,
  type Observer,
  parseAddressText,
  redactConfig,
} from "@gpuchain/sdk/daemon";
import { Command } from "commander";
import { configTable, connectionTable } from "./config.ts";
import { callDaemon } from "./control/callDaemon.ts";
import { describeDevice } from "./device.ts";
import { moneyLines } from "./moneyLines.ts";
import type { NodeStatus } from "./nodeStatus.ts";
import { type OfflineStatus, offlineStatus, offlineUnbond, offlineWithdraw, setOfflinePaused } from "./offline.ts";
import { type ProgressDisplay, progressLine, showProgress } from "./progressLine.ts";
import { type RunningNode, runNode } from "./runNode.ts";
import { runtimeLine } from "./runtimeLine.ts";

const program = new Command("gpuchain-node")
  .description("Trains models for pay: takes leases on jobs, trains, commits checkpoints, is paid per accepted step.")
  .showHelpAfterError("(see gpuchain-node --help)")
  .configureHelp({ helpWidth: 110 });

function command<Table extends ConfigTable>(
  name: string,
  description: string,
  table: Table,
  run: (config: ConfigValues<Table>, args: string[]) => Promise<void>,
): Command {
  const made = addConfigFlags(program.command(name).description(description), table).option(
    "--config <file>",
    "JSON file with the same settings, by their names",
  );
  return made.action(async (...given: unknown[]) => {
    const { config: file, ...flags } = made.opts<Record<string, unknown> & { config?: string }>();
    const args = given.slice(0, -2).filter((arg) => arg !== undefined);
    await run(loadConfig(table, { flags, env: process.env, file }), args.map(String));
  });
}

command(
  "start",
  "register where needed and work until stopped (Ctrl-C: checkpoint, release, stop)",
  configTable,
  async (config) => {
    let display: ProgressDisplay | undefined;
    let node: RunningNode | undefined;
    let observer: Observer | undefined;
    const log = createLogger({
      name: "node",
      level: config.logLevel,
      json: config.log === "json",
      destination: { write: (line) => (display === undefined ? process.stdout.write(line) : display.write(line)) },
      onError: (error, fields) => observer?.error(error, fields),
    });
    const shutdown = createShutdown({ log });
    log.info({ event: "node.starting", config: redactConfig(configTable, config) }, "starting");
    if (config.log === "text") display = showProgress(() => node?.glance());
    try {
      node = await runNode(config, {
        log,
        signal: shutdown.signal,
        onObserver: (opened) => {
          observer = opened;
        },
      });
      await node.done;
    } finally {
      display?.close();
      display = undefined;
      await shutdown.close();
    }
  },
).addHelpText(
  "after",
  `
Example:
  gpuchain-node start --rpc ws://127.0.0.1:8545 --deployment deployments/local.json \\
    --data ./garage --password-file ./password --name "garage 3060" --price 0.002

A key file is made at the first start where there is none: back it up. The node needs a little native coin
for transactions and USDC for its bond; on a local chain it takes the USDC from the faucet.`,
);

command("status", "what the node of this data folder does, earns and waits for", connectionTable, async (config) => {
  const status = await orOffline<NodeStatus | OfflineStatus>(
    () => callDaemon(config.data, { command: "status" }) as Promise<NodeStatus>,
    () => offlineStatus(config),
  );
  if (config.log === "json") return print(JSON.stringify(status, bigints));
  const running = "state" in status;
  print(running ? progressLine(revive(status)) : "not running");
  print(`address    ${status.address}`);
  print(`payout     ${status.payout}`);
  print(`claimable  ${formatUsdc(BigInt(status.claimable ?? 0n))} USDC`);
  for (const line of moneyLines(status)) print(line);
});

command(
  "pause",
  "hand back the lease after the work that pays, take no new one until resume",
  connectionTable,
  async (config) => {
    await orOffline(
      () => callDaemon(config.data, { command: "pause" }),
      () => setOfflinePaused(config, true),
    );
    print("paused: no new lease is taken until gpuchain-node resume");
  },
);

command("resume", "take leases again", connectionTable, async (config) => {
  await orOffline(
    () => callDaemon(config.data, { command: "resume" }),
    () => setOfflinePaused(config, false),
  );
  print("resumed");
});

command(
  "withdraw",
  "pay out what is claimable, to the payout wallet or to [address]",
  connectionTable,
  async (config, [to]) => {
    const wallet = to === undefined ? undefined : parseAddressText(to);
    const result = await orOffline(
      () =>
        callDaemon(config.data, { command: "withdraw", ...(wallet ? { to: wallet } : {}) }) as Promise<{
          amount: bigint | string;
          hash: string;
        }>,
      () => offlineWithdraw(config, wallet),
    ).catch((error: unknown) => {
      // Asked for again and again by a timer, that is no failure.
      if (!isGpuchainError(error, "NOTHING_TO_WITHDRAW")) throw error;
      print(`nothing to withdraw: ${error.message}`);
    });
    if (result !== undefined) print(`${formatUsdc(BigInt(result.amount))} USDC withdrawn in ${result.hash}`);
  },
).argument("[address]", "wallet that receives the money");

command("exit", "checkpoint, release the lease, stop the running node", connectionTable, async (config) => {
  await callDaemon(config.data, { command: "exit" });
  print("the node is stopping: it finishes what pays and hands its lease back");
});

command(
  "unbond",
  "leave for good and take the bond out: once to leave, again when the unbonding time is over",
  connectionTable,
  async (config) => {
    const { bond, secondsLeft } = await offlineUnbond(config);
    if (config.log === "json") return print(JSON.stringify({ bond, secondsLeft }, bigints));
    if (secondsLeft > 0)
      print(`left the registry; in ${secondsLeft} s run unbond again to take out ${formatUsdc(bond)} USDC`);
    else print(`${formatUsdc(bond)} USDC of bond are claimable now: run withdraw`);
  },
);

program
  .command("devices")
  .description("what this machine can train on, and how fast: steps a second of the demo's model")
  .action(async () => {
    const { model, cores, memoryMb } = await describeDevice({ runtime: "native", threads: 1 });
    print(`${model}, ${cores} cores, ${memoryMb} MiB`);
    // Loaded for this command alone: a daemon keeps its runtime in a process of its own.
    const { listRuntimes, measureRuntime } = await import("@gpuchain/sdk/training/runtimes");
    for (const entry of await listRuntimes(cores)) print(await runtimeLine(entry, measureRuntime));
  });

/** Asks the running daemon; without one, does the same here. */
async function orOffline<T>(online: () => Promise<T>, offline: () => Promise<T>): Promise<T> {
  try {
    return await online();
  } catch (error) {
    if (!isGpuchainError(error, "NOT_RUNNING")) throw error;
    return offline();
  }
}

/** Amounts came as decimal strings. */
const revive = (status: NodeStatus): NodeStatus => ({
  ...status,
  earnings: {
    ...status.earnings,
    accepted: BigInt(status.earnings.accepted),
    pending: BigInt(status.earnings.pending),
    gas: BigInt(status.earnings.gas),
  },
});
const bigints = (_key: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);
const print = (line: string) => void process.stdout.write(`${line}\n`);

try {
  await program.parseAsync();
} catch (error) {
  exitWith(error);
}
