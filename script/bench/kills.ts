import { DEMO_TERMS, type RunTerms } from "../lib/clientParty.ts";
import { startNetwork } from "../lib/network.ts";
import { Recorder } from "../lib/recorder.ts";
import { playRelay } from "../lib/relay.ts";
import type { KillState } from "../lib/runState.ts";
import { spamWorkload } from "../workloads/spam.ts";
import type { BenchContext, Section } from "./section.ts";
import { medianAndWorst } from "./stats.ts";

const CASES: { blockTime: number; terms: RunTerms }[] = [
  { blockTime: 2, terms: DEMO_TERMS },
  { blockTime: 0.25, terms: { ...DEMO_TERMS, auctionRamp: 0 } },
];

/** Kills whoever holds the lease again and again, and times each hand-over by phase. */
export async function measureKills({ signal, say, kills }: BenchContext): Promise<Section[]> {
  const sections: Section[] = [];
  for (const { blockTime, terms } of CASES) {
    say(`${kills} kills at ${blockTime} s blocks`);
    const network = await startNetwork({ blockTime, verifiers: 3, signal, onProgress: say });
    try {
      const recorder = new Recorder();
      // Long enough never to end before the last kill.
      const workload = spamWorkload({ steps: 100 * (kills + 2), checkpoint: { interval: 20, traceInterval: 5 } });
      const found = await playRelay({
        network,
        recorder,
        workload,
        terms: { ...terms, budget: 50_000_000n },
        kills,
        signal,
        say,
      });
      sections.push(sectionOf(blockTime, terms, found));
    } finally {
      await network.close();
    }
  }
  return sections;
}

function sectionOf(blockTime: number, terms: RunTerms, kills: readonly KillState[]): Section {
  const times = (read: (kill: KillState) => number | undefined) => kills.flatMap((kill) => read(kill) ?? []);
  const lost = kills.map(({ atStep, resumedFrom }) => atStep - (resumedFrom ?? 0));
  return {
    title: `kill to next step, ${blockTime} s blocks, auction ramp ${terms.auctionRamp} s`,
    rows: [
      ["two seats signed", medianAndWorst(times(({ detectedMs }) => detectedMs))],
      ["evicted on chain", medianAndWorst(times(({ evictedMs }) => evictedMs))],
      ["leased again", medianAndWorst(times(({ acquiredMs }) => acquiredMs))],
      ["first step elsewhere", medianAndWorst(times(({ firstStepMs }) => firstStepMs))],
      [
        "steps lost",
        `${Math.min(...lost)} to ${Math.max(...lost)}, a checkpoint every 20 steps; a commit not yet mined at the death counts for nothing`,
      ],
    ],
    data: kills,
  };
}
