import { setTimeout as sleep } from "node:timers/promises";
import { createClientParty, DEMO_TERMS } from "../lib/clientParty.ts";
import { startNetwork } from "../lib/network.ts";
import { Recorder } from "../lib/recorder.ts";
import { recordChain, recordDaemons } from "../lib/sources.ts";
import { spamWorkload } from "../workloads/spam.ts";
import type { BenchContext, Section } from "./section.ts";

const STALL_MS = 20_000;
/** Shares of the time: nothing to do, training, training while other programs take the processors. */
const PHASES = { idle: 0.2, training: 0.4, crowded: 0.4 } as const;
const busyLoop = "for (;;) Math.sqrt(Math.random());";

/** A network that goes from idle to busy, with its RPC stalled twice: nobody alive may be evicted. */
export async function measureSoak({ signal, say, minutes }: BenchContext): Promise<Section[]> {
  const network = await startNetwork({ blockTime: 2, verifiers: 3, signal, onProgress: say });
  const watching = new AbortController();
  const until = AbortSignal.any([signal, watching.signal]);
  try {
    const recorder = new Recorder();
    const party = createClientParty(network, until);
    recordDaemons(network, recorder);
    const failed = recordChain(party.client, recorder, { signal: until });
    failed.catch(() => undefined);
    await Promise.all(["A", "B"].map((name) => network.addProvider({ name, price: "0.001", threads: 2 })));
    const total = minutes * 60_000;
    say(`idle for ${(minutes * PHASES.idle).toFixed(1)} min`);
    await sleep(total * PHASES.idle, undefined, { signal: until });
    // More steps than can be done in the time: the job is still running at the end.
    const workload = spamWorkload({ steps: 400_000 });
    await party.post(workload, {
      ...DEMO_TERMS,
      segmentTimeout: 600,
      gracePeriod: 600,
      budget: 3_000_000_000n,
      deadlineSeconds: 86_400,
    });
    say(`training for ${(minutes * PHASES.training).toFixed(1)} min, the chain stalled for 20 s in the middle`);
    await stalledInTheMiddle(total * PHASES.training);
    say(`training beside two busy loops for ${(minutes * PHASES.crowded).toFixed(1)} min, the chain stalled again`);
    for (const index of [1, 2])
      network.group.start({ name: `busy${index}`, file: process.execPath, args: ["-e", busyLoop] });
    await stalledInTheMiddle(total * PHASES.crowded);

    const signed = recorder.entries.filter((entry) => entry.kind === "signature" && entry.of === "eviction").length;
    const ended = recorder.entries.flatMap((entry) =>
      entry.kind === "event" && entry.name === "LeaseEnded" ? [entry.args.cause] : [],
    );
    const evicted = ended.filter((cause) => Number(cause) === 4).length;
    const steps = recorder.entries.filter(({ kind }) => kind === "step").length;
    const accepted = recorder.entries.filter(
      (entry) => entry.kind === "event" && entry.name === "CheckpointAccepted",
    ).length;
    return [
      {
        title: `${minutes} minutes, idle to busy, the chain stalled twice for 20 s, nobody killed`,
        rows: [
          ["evictions signed", String(signed)],
          ["evictions on chain", String(evicted)],
          ["leases that ended", String(ended.length)],
          ["steps trained", String(steps)],
          ["checkpoints accepted", String(accepted)],
        ],
        data: { minutes, signed, evicted, leasesEnded: ended, steps, accepted },
      },
    ];
  } finally {
    watching.abort();
    await network.close();
  }

  async function stalledInTheMiddle(ms: number): Promise<void> {
    const half = Math.max(0, (ms - STALL_MS) / 2);
    await sleep(half, undefined, { signal: until });
    network.chain.process.signal("SIGSTOP");
    await sleep(STALL_MS, undefined, { signal: until });
    network.chain.process.signal("SIGCONT");
    await sleep(half, undefined, { signal: until });
  }
}
