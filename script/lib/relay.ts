// A run whose leaseholder is killed over and over: the one that was killed comes back and stands by while the other trains.
import { createClientParty, type RunTerms, type Workload } from "./clientParty.ts";
import type { Daemon, LocalNetwork } from "./network.ts";
import type { Recorder } from "./recorder.ts";
import { emptyRun, type KillState, reduceRun, same } from "./runState.ts";
import { recordChain, recordDaemons } from "./sources.ts";

export interface RelayOptions {
  network: LocalNetwork;
  recorder: Recorder;
  workload: Workload;
  terms: RunTerms;
  kills: number;
  signal: AbortSignal;
  say: (text: string) => void;
}

/** Steps that a holder trains before it is killed: past its start, not on a checkpoint. */
const STEPS_BEFORE_KILL = 27;

/** @returns one entry a kill, complete up to the first step of the next holder */
export async function playRelay({
  network,
  recorder,
  workload,
  terms,
  kills,
  signal,
  say,
}: RelayOptions): Promise<KillState[]> {
  const watching = new AbortController();
  const until = AbortSignal.any([signal, watching.signal]);
  const party = createClientParty(network, until);
  const run = emptyRun();
  recorder.onEntry((entry) => reduceRun(run, entry));
  recordDaemons(network, recorder);
  try {
    const runners = [
      await network.addProvider({ name: "A", price: "0.001", threads: 2 }),
      await network.addProvider({ name: "B", price: "0.001", threads: 2 }),
    ];
    const failed = recordChain(party.client, recorder, { signal: until });
    failed.catch(() => undefined);
    await party.post(workload, terms);
    for (let index = 0; index < kills; index++) {
      const { holder, step } = await Promise.race([
        ripe(
          recorder,
          runners,
          network.daemons.filter(({ role }) => role === "verifier"),
        ),
        failed.then(() => Promise.reject(signal.reason)),
      ]);
      holder.process.signal("SIGKILL");
      recorder.add({ kind: "fault", fault: "kill", party: holder.account.address, step });
      await takenOver(recorder, () => run.kills[index]?.firstStepMs !== undefined, failed);
      const kill = run.kills[index];
      say(`kill ${index + 1}: next step after ${((kill?.firstStepMs ?? 0) / 1000).toFixed(2)} s`);
      await holder.process.exited;
      const back = network.restart(holder);
      runners[runners.indexOf(holder)] = back;
      await back.waitFor("job.prepared");
    }
    return run.kills;
  } finally {
    watching.abort();
    party.close();
  }
}

/**
 * Settles once a holder has trained long enough while the other one stands by, and every seat has had its pulse. The first lease of a job
 * has no seats to watch it for its first block or two: who dies in those seconds counts as never connected, which takes five seconds more.
 */
function ripe(
  recorder: Recorder,
  runners: readonly Daemon[],
  seats: readonly Daemon[],
): Promise<{ holder: Daemon; step: number }> {
  const trained = new Map<string, number>();
  const ready = Promise.all(
    runners.flatMap((runner) => [
      runner.waitFor("job.prepared"),
      ...seats.map(({ endpoint }) => runner.waitFor("pulse.up", (line) => line.endpoint === endpoint)),
    ]),
  );
  return new Promise((resolve, reject) => {
    let standingBy = false;
    ready.then(() => {
      standingBy = true;
    }, reject);
    recorder.onEntry((entry) => {
      if (entry.kind !== "step") return;
      const holder = runners.find(({ account }) => same(account.address, entry.provider));
      if (!holder?.process.running()) return;
      const steps = (trained.get(holder.name) ?? 0) + 1;
      trained.set(holder.name, steps);
      if (standingBy && steps >= STEPS_BEFORE_KILL && entry.step % 20 !== 0) resolve({ holder, step: entry.step });
    });
  });
}

function takenOver(recorder: Recorder, holds: () => boolean, failed: Promise<unknown>): Promise<void> {
  const found = new Promise<void>((resolve) => {
    recorder.onEntry(() => {
      if (holds()) resolve();
    });
  });
  return Promise.race([found, failed.then(() => undefined)]);
}
