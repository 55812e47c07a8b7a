// One job on a local network from posting to the last withdrawal, with the faults that are asked for. The demo tells it, the bench measures
// it, the end-to-end tests check it.
import { setMaxListeners } from "node:events";
import type { GpuchainClient } from "@gpuchain/sdk/chain";
import type { LocalAccount } from "viem";
import { localAccounts } from "./anvil.ts";
import { type ClientParty, createClientParty, type RunTerms, type Workload } from "./clientParty.ts";
import type { Daemon, LocalNetwork, ProviderOptions } from "./network.ts";
import type { Recorder } from "./recorder.ts";
import { emptyRun, type RunState, reduceRun, same } from "./runState.ts";
import { recordChain, recordDaemons } from "./sources.ts";
import { usageByGroup } from "./usage.ts";

export interface ProviderPlan extends ProviderOptions {
  /** this provider's entry hands in junk: recorded as an injected fault when it takes the lease */
  junk?: boolean;
  /** killed with SIGKILL at the first step from here on that is no checkpoint, once all others stand by */
  killAtStep?: number;
  /** killed at that step whether or not another provider could take over already */
  killUnattended?: boolean;
  /** joins once this provider has the lease; left out: there from the start */
  after?: string;
}

export interface StoryOptions {
  network: LocalNetwork;
  recorder: Recorder;
  workload: Workload;
  terms: RunTerms;
  providers: readonly ProviderPlan[];
  signal: AbortSignal;
  onProgress?: (text: string) => void;
  /** once all daemons are up, before the job is posted */
  onReady?: () => void;
}

export interface Story {
  run: RunState;
  jobId: bigint;
  client: GpuchainClient;
  party: ClientParty;
  providers: Daemon[];
  /** greatest memory of all processes together, where it can be measured */
  peakPssBytes: number | undefined;
  reserves: { held: bigint; owed: bigint };
  /** ends the watching; the network stays */
  close(): void;
}

const MEMORY_SAMPLE_MS = 2_000;

/** Tells a story to its end: every checkpoint judged, everybody paid and withdrawn. */
export async function playStory(options: StoryOptions): Promise<Story> {
  const { network, recorder, workload, terms, signal } = options;
  const say = options.onProgress ?? (() => undefined);
  const watching = new AbortController();
  const until = AbortSignal.any([signal, watching.signal]);
  // Every party's sender listens to it.
  setMaxListeners(64, until);
  const party = createClientParty(network, until);
  const run = emptyRun();
  recorder.onEntry((entry) => reduceRun(run, entry));
  recordDaemons(network, recorder);
  const milestones = new Milestones(recorder, until);
  const chain = recordChain(party.client, recorder, { signal: until });
  // The feed ends with the signal; anything else must stop the story instead of hanging it.
  chain.catch((error) => milestones.fail(error));
  const memory = sampleMemory(network, until);
  try {
    const cast = new Map<string, Daemon>();
    const join = async (plan: ProviderPlan) => {
      const daemon = await network.addProvider(plan);
      cast.set(plan.name, daemon);
      injectFaults(daemon, plan, { network, recorder, cast, options });
      failWhenGone(daemon, options.providers, milestones);
    };
    for (const daemon of network.daemons) failWhenGone(daemon, options.providers, milestones);
    const first = options.providers.filter(({ after }) => after === undefined);
    say(`starting ${first.map(({ name }) => name).join(", ")}`);
    await Promise.all(first.map(join));
    options.onReady?.();
    const jobId = await party.post(workload, terms);
    const later = options.providers.filter(({ after }) => after !== undefined);
    for (const plan of later) {
      const leader = cast.get(plan.after ?? "");
      await milestones.until(() =>
        [...run.leases.values()].some((lease) => same(lease.provider, leader?.account.address ?? "")),
      );
    }
    await Promise.all(later.map(join));
    await milestones.seen("JobSettled");
    const providers = options.providers.flatMap(({ name }) => cast.get(name) ?? []);
    await settleRefusals(run, milestones);
    const parties: LocalAccount[] = [
      ...providers.map(({ account }) => account),
      ...network.daemons.filter(({ role }) => role === "verifier").map(({ account }) => account),
      localAccounts.treasury,
      localAccounts.client,
    ];
    const withdrawn = await Promise.all(
      parties.map(async (account) => ({ account, paid: await party.withdraw(account) })),
    );
    for (const { account, paid } of withdrawn) {
      if (paid) await milestones.until(() => run.withdrawals.some((one) => same(one.account, account.address)));
    }
    const reserves = await party.client.read.getReserves();
    const blockNumber = await party.client.public.getBlockNumber();
    recorder.add({ kind: "money", block: Number(blockNumber), held: `${reserves.held}`, owed: `${reserves.owed}` });
    return {
      ...{ run, jobId, client: party.client, party, providers, reserves },
      peakPssBytes: memory(),
      close: () => {
        watching.abort();
        party.close();
      },
    };
  } catch (error) {
    watching.abort();
    party.close();
    throw error;
  }
}

/** Waits for what the recorder hears. */
class Milestones {
  private readonly recorder: Recorder;
  private readonly failed: Promise<never>;
  fail: (error: unknown) => void = () => undefined;

  constructor(recorder: Recorder, signal: AbortSignal) {
    this.recorder = recorder;
    this.failed = new Promise((_, reject) => {
      this.fail = reject;
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    this.failed.catch(() => undefined);
  }

  seen(event: string): Promise<void> {
    return this.until(() => this.recorder.entries.some((entry) => entry.kind === "event" && entry.name === event));
  }

  /** Settles once the condition holds; looked at after every entry. */
  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    const found = new Promise<void>((resolve) => {
      this.recorder.onEntry(() => {
        if (holds()) resolve();
      });
    });
    return Promise.race([found, this.failed]);
  }
}

/** A refusal is final after the appeal window; the seats are paid for it only then. */
async function settleRefusals(run: RunState, milestones: Milestones): Promise<void> {
  const refused = [...run.checkpoints.values()].filter(({ verdict }) => verdict === "refused");
  for (const { id } of refused) await milestones.until(() => run.final.has(id));
}

interface Stage {
  network: LocalNetwork;
  recorder: Recorder;
  cast: ReadonlyMap<string, Daemon>;
  options: StoryOptions;
}

function injectFaults(daemon: Daemon, plan: ProviderPlan, { network, recorder, cast, options }: Stage): void {
  const party = daemon.account.address;
  const { interval } = options.workload.spec.checkpoint;
  const standingBy = new Set<string>();
  let junkTold = false;
  let killed = false;
  network.onLine((from, line) => {
    if (line.event === "job.prepared") standingBy.add(from.name);
    if (from !== daemon) return;
    if (plan.junk && !junkTold && line.event === "lease.acquired") {
      junkTold = true;
      recorder.add({ kind: "fault", fault: "junk", party });
    }
    if (plan.killAtStep === undefined || killed || line.event !== "step") return;
    const step = Number(line.step);
    if (step < plan.killAtStep || step % interval === 0) return;
    const othersReady =
      cast.size === options.providers.length &&
      options.providers.every(({ name }) => name === daemon.name || standingBy.has(name));
    if (!othersReady && !plan.killUnattended) return;
    killed = true;
    daemon.process.signal("SIGKILL");
    recorder.add({ kind: "fault", fault: "kill", party, step });
  });
}

/** A daemon that ends although nobody killed it spoils the story: better to say so at once than to wait for ever. */
function failWhenGone(daemon: Daemon, plans: readonly ProviderPlan[], milestones: Milestones): void {
  const mayDie = plans.some(({ name, killAtStep }) => name === daemon.name && killAtStep !== undefined);
  if (mayDie) return;
  void daemon.process.exited.then(({ code, signal }) => {
    milestones.fail(
      new Error(`${daemon.name} ended by itself (${signal ?? `code ${code}`}):\n${daemon.process.tail()}`),
    );
  });
}

function sampleMemory(network: LocalNetwork, signal: AbortSignal): () => number | undefined {
  let peak: number | undefined;
  const timer = setInterval(() => {
    const groups = network.group.processes.filter((one) => one.running()).map(({ pid }) => pid);
    const usage = usageByGroup(groups);
    if (!usage) return;
    const sum = [...usage.values()].reduce((all, { pssBytes }) => all + pssBytes, process.memoryUsage().rss);
    peak = Math.max(peak ?? 0, sum);
  }, MEMORY_SAMPLE_MS);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  return () => peak;
}
