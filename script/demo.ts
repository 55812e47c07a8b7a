// `npm run demo`: a real training run loses its provider, moves, refuses junk, finishes and pays out, on a local chain.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { createShutdown, exitWith, GpuchainError, parseInteger } from "@gpuchain/sdk/daemon";
import type { RunReport } from "@gpuchain/sdk/records";
import { Command } from "commander";
import { bareLoop } from "./lib/bareLoop.ts";
import { DEMO_TERMS } from "./lib/clientParty.ts";
import { endWithParent } from "./lib/endWithParent.ts";
import { evaluateFinal } from "./lib/finalModel.ts";
import { makeRecording } from "./lib/makeRecording.ts";
import { Narrator } from "./lib/narrator.ts";
import { type LocalNetwork, localAccounts, startNetwork } from "./lib/network.ts";
import { PortTakenError } from "./lib/processes.ts";
import { parseOutputFile, readOptions } from "./lib/readOptions.ts";
import { Recorder } from "./lib/recorder.ts";
import { makeReport, moneyTable } from "./lib/report.ts";
import { root } from "./lib/root.ts";
import { serveSite } from "./lib/site.ts";
import { type ProviderPlan, playStory } from "./lib/story.ts";
import { createTerminal } from "./lib/terminal.ts";
import { spamWorkload } from "./workloads/spam.ts";

interface DemoOptions {
  blockTime: number;
  steps: number;
  killAt: number;
  rpcPort?: number;
  explorerPort: number;
  json?: string;
  record?: string;
  keep?: boolean;
}

const VERIFIERS = 3;
const BARE_STEPS = 40;
const THREADS = 2;

const command = new Command("demo")
  .description(
    "Trains a spam filter on real mails on a local chain: one provider is killed, one hands in junk, everyone is paid exactly.",
  )
  .option("--block-time <seconds>", "seconds between blocks", parsePositive, 2)
  .option("--steps <n>", "training steps, a multiple of 50", parseInteger({ min: 150, max: 10_000 }), 400)
  .option(
    "--kill-at <step>",
    "A is killed at the first step from here on that is no checkpoint, once the others stand by",
    parseInteger({ min: 51, max: 10_000 }),
    67,
  )
  .option("--rpc-port <port>", "port of the local chain (default: any free one)", parseInteger({ min: 1, max: 65_535 }))
  .option(
    "--explorer-port <port>",
    "port of the explorer (default: any free one)",
    parseInteger({ min: 0, max: 65_535 }),
    0,
  )
  .option("--json <file>", "write the report as JSON", parseOutputFile)
  .option("--record <file>", "write the run as a recording that the explorer replays", parseOutputFile)
  .addHelpText(
    "after",
    "\nExamples:\n  npm run demo\n  npm run demo -- --block-time 1 --json report.json --record run.json\n",
  );

async function main(): Promise<void> {
  const options = readOptions<DemoOptions>(command);
  const terminal = createTerminal(process.stdout);
  const shutdown = createShutdown();
  endWithParent();
  let network: LocalNetwork | undefined;
  try {
    checkOptions(options);
    const workload = spamWorkload({ steps: options.steps });
    terminal.line(
      `GPUChain demo: ${options.steps} steps on ${workload.spec.title.toLowerCase()}, ${VERIFIERS} verifiers, 3 providers, blocks every ${options.blockTime} s`,
    );
    network = await startNetwork({
      blockTime: options.blockTime,
      verifiers: VERIFIERS,
      rpcPort: options.rpcPort,
      onProgress: terminal.progress,
      signal: shutdown.signal,
    });
    shutdown.onClose("network", () => network?.close());
    terminal.progress("measuring the bare training loop");
    const directory = path.join(network.group.directory, "bare");
    const bare = await bareLoop({ workload, steps: BARE_STEPS, directory, threads: THREADS, signal: shutdown.signal });
    const site = await serveSite(network, { port: options.explorerPort, mode: "demo" });
    shutdown.onClose("explorer", () => site.close());
    terminal.line(`watch it in a browser: ${site.url}`);
    const report = await tell(network, {
      options,
      workload,
      bare: bare.stepsPerSecond,
      terminal,
      signal: shutdown.signal,
    });
    if (options.json) write(options.json, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    terminal.clear();
    // Whatever failed after Ctrl-C failed because of it.
    exitWith(shutdown.signal.aborted ? shutdown.signal.reason : explain(error));
  } finally {
    await shutdown.close();
  }
}

interface TellOptions {
  options: DemoOptions;
  workload: ReturnType<typeof spamWorkload>;
  bare: number;
  terminal: ReturnType<typeof createTerminal>;
  signal: AbortSignal;
}

async function tell(
  network: LocalNetwork,
  { options, workload, bare, terminal, signal }: TellOptions,
): Promise<RunReport> {
  const providers: ProviderPlan[] = [
    { name: "A", price: "0.001", threads: THREADS, killAtStep: options.killAt },
    {
      name: "P",
      price: "0.002",
      threads: THREADS,
      after: "A",
      junk: true,
      entry: path.join(root, "test/dist/faults/junkNode.js"),
    },
    { name: "B", price: "0.003", after: "A", threads: THREADS },
  ];
  const names = new Map<string, string>([
    [localAccounts.client.address.toLowerCase(), "client"],
    [localAccounts.treasury.address.toLowerCase(), "treasury"],
  ]);
  const nameOf = (address: string) => {
    const daemon = network.daemons.find(({ account }) => account.address.toLowerCase() === address.toLowerCase());
    return daemon?.name ?? names.get(address.toLowerCase()) ?? address;
  };
  const recorder = new Recorder();
  const narrator = new Narrator({
    nameOf,
    totalSteps: options.steps,
    print: terminal.line,
    colour: terminal.colour,
    ...(terminal.live && { status: terminal.status }),
  });
  const story = await playStory({
    ...{ network, recorder, workload, terms: DEMO_TERMS, providers, signal },
    onProgress: terminal.progress,
    onReady: () => {
      terminal.clear();
      recorder.onEntry((entry) => narrator.take(entry));
    },
  });
  terminal.progress("evaluating the final model on all held-out mails");
  const final = await evaluateFinal(story, workload, path.join(network.group.directory, "final"), signal);
  const wallMs = Date.now() - recorder.startedAt;
  const { run } = story;
  const runMs = (run.lastStepT ?? 0) - (run.firstStepT ?? 0);
  const address = (name: string) => story.providers.find((one) => one.name === name)?.account.address ?? "";
  const verifiers = network.daemons.filter(({ role }) => role === "verifier").map(({ account }) => account.address);
  const report = makeReport({
    ...{ run, nameOf, final, wallMs, verifiers },
    chainId: network.deployment.chainId,
    blockTimeMs: network.chain.blockTimeMs,
    steps: options.steps,
    checkpointInterval: workload.spec.checkpoint.interval,
    budget: DEMO_TERMS.budget,
    junkProvider: address("P"),
    providers: story.providers.map(({ account }) => account.address),
    reserves: story.reserves,
    speed: { bareStepsPerSecond: bare, runStepsPerSecond: (run.stepsTrained / runMs) * 1000 },
    peakPssBytes: story.peakPssBytes,
  });
  terminal.clear();
  for (const line of summary(report)) terminal.line(line);
  if (options.record) {
    const recording = await makeRecording({ network, recorder, story, workload, report, nameOf });
    write(options.record, `${JSON.stringify(recording)}\n`);
  }
  story.close();
  return report;
}

const NOTHING = "0.000000";

function summary(report: RunReport): string[] {
  const { kill, junk, final, money, speed } = report;
  const s = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  return [
    "",
    ...(kill
      ? [
          `${kill.provider} killed at step ${kill.atStep}: noticed by two seats after ${s(kill.detectedMs)}, evicted on chain after ${s(kill.evictedMs)},`,
          `  leased again after ${s(kill.acquiredMs)}, training elsewhere after ${s(kill.firstStepMs)}; ${kill.stepsLost} steps lost since checkpoint ${kill.lastCheckpoint}`,
        ]
      : ["A was not killed: the others did not stand by before it was done (a smaller --kill-at, or more --steps)"]),
    ...(junk
      ? [
          `${junk.provider}'s junk: ${junk.refused ? `refused at the ${junk.gate} gate` : "NOT refused"}, ${junk.paid} USDC paid for it`,
        ]
      : []),
    `final model: accuracy ${final.accuracy.toFixed(4)}, balanced ${final.balancedAccuracy.toFixed(4)}, nll ${final.nll.toFixed(4)} on ${final.heldOut} held-out mails`,
    `speed: ${speed.runStepsPerSecond.toFixed(1)} steps/s over the whole run, ${speed.bareStepsPerSecond.toFixed(1)} steps/s for the bare loop just before it`,
    "",
    "where the money went, from the escrow's own events (USDC)",
    moneyTable(report),
    ...(money.slashedFromBonds === undefined || money.slashedFromBonds === NOTHING
      ? []
      : [
          `  beside the budget: ${money.slashedFromBonds} from the bond of who was refused, to the verifiers who judged`,
        ]),
    `  the escrow still holds ${money.reserves.held} and owes ${money.reserves.owed} (bonds of providers and verifiers), by its own reserves()`,
    "",
    `done in ${(report.wallMs / 1000).toFixed(0)} s${report.peakPssBytes ? `, ${(Number(report.peakPssBytes) / 1e9).toFixed(2)} GB at most in all processes together` : ""}`,
  ];
}

function checkOptions({ steps, killAt }: DemoOptions): void {
  if (steps % 50 !== 0)
    throw new GpuchainError("USAGE", `--steps ${steps} is not a multiple of 50, the checkpoint interval`);
  if (killAt % 50 === 0 || killAt >= steps) {
    throw new GpuchainError("USAGE", `--kill-at ${killAt} must lie between two checkpoints and before the end`);
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new GpuchainError("WRITE_FAILED", `cannot write ${file}`, { cause: error, hint: "give another file name" });
  }
}

function explain(error: unknown): unknown {
  if (error instanceof PortTakenError) {
    return new GpuchainError("PORT_TAKEN", error.message, {
      hint: "give another --rpc-port or --explorer-port, or none for any free one",
    });
  }
  if ((error as NodeJS.ErrnoException | undefined)?.code === "ENOSPC") {
    return new GpuchainError("DISK_FULL", "the disk is full", {
      hint: "free some space; the run keeps about 1 GB in the temporary directory",
    });
  }
  return error;
}

function parsePositive(text: string): number {
  const value = Number(text);
  if (!(value >= 0.1 && value <= 60))
    throw new GpuchainError("USAGE", `--block-time ${text} is not between 0.1 and 60`);
  return value;
}

await main();
