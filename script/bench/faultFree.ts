import path from "node:path";
import { type BareLoopResult, bareLoop } from "../lib/bareLoop.ts";
import { DEMO_TERMS } from "../lib/clientParty.ts";
import { startNetwork } from "../lib/network.ts";
import { Recorder } from "../lib/recorder.ts";
import { playStory } from "../lib/story.ts";
import { usageByGroup } from "../lib/usage.ts";
import { spamWorkload } from "../workloads/spam.ts";
import type { BenchContext, Section } from "./section.ts";
import { medianAndWorst } from "./stats.ts";

const THREADS = 2;

/** A run that nothing disturbs, under the full protocol, against the same steps in the bare loop: wall clock, CPU time, verdict times. */
export async function measureFaultFree({ signal, say, steps }: BenchContext): Promise<Section[]> {
  const workload = spamWorkload({ steps });
  const network = await startNetwork({ blockTime: 2, verifiers: 3, signal, onProgress: say });
  try {
    const directory = path.join(network.group.directory, "bare");
    const runBare = (when: string) => {
      say(`bare loop, ${steps} steps, ${when} the run`);
      return bareLoop({ workload, steps, directory: path.join(directory, when), threads: THREADS, signal });
    };
    const bareBefore = await runBare("before");
    say(`the same ${steps} steps under the protocol`);
    const recorder = new Recorder();
    const groups = () => network.daemons.map(({ process: { pid } }) => pid);
    // Start-up is not counted: CPU time is read once a daemon has the job's graphs compiled, which is at the node's first step and at a
    // seat's word that it is ready to judge, and again when the job is completed.
    const before = new Map<number, number>();
    let after: ReturnType<typeof usageByGroup>;
    const begin = (pid: number) => {
      const cpuMs = usageByGroup([pid])?.get(pid)?.cpuMs;
      if (cpuMs !== undefined && !before.has(pid)) before.set(pid, cpuMs);
    };
    network.onLine(({ process: { pid } }, { event }) => {
      if (event === "job.opened" || event === "step") begin(pid);
    });
    recorder.onEntry((entry) => {
      if (entry.kind === "event" && entry.name === "JobCompleted") after ??= usageByGroup(groups());
    });
    const providers = [{ name: "A", price: "0.001", threads: THREADS }];
    const story = await playStory({ network, recorder, workload, terms: DEMO_TERMS, providers, signal });
    const { run } = story;
    story.close();
    // A machine's pace drifts within minutes: the run is held against the mean of what went before it and after it.
    const bare = meanOf(bareBefore, await runBare("after"));
    const wallMs = (run.lastStepT ?? 0) - (run.firstStepT ?? 0);
    const cpu = new Map(
      network.daemons.map(({ name, process: { pid } }) => {
        const start = before?.get(pid);
        const end = after?.get(pid);
        return [name, start !== undefined && end ? end.cpuMs - start : undefined] as const;
      }),
    );
    const verdicts = [...run.checkpoints.values()].flatMap(({ committedT, decidedT }) =>
      decidedT === undefined ? [] : [decidedT - committedT],
    );
    const ratio = (ms: number | undefined) =>
      ms === undefined
        ? "not measured here"
        : `${(ms / 1000).toFixed(1)} s, ${(ms / bare.cpuMs).toFixed(2)}× the bare loop`;
    return [
      {
        title: `${steps} steps under the full protocol, nothing going wrong`,
        rows: [
          [
            "bare loop, mean of before and after",
            `${(bare.wallMs / 1000).toFixed(1)} s wall, ${(bare.cpuMs / 1000).toFixed(1)} s CPU`,
          ],
          [
            "under the protocol, first to last step",
            `${(wallMs / 1000).toFixed(1)} s wall, ${(wallMs / bare.wallMs).toFixed(2)}× the bare loop`,
          ],
          ...[...cpu].map(([name, ms]): [string, string] => [
            `CPU of ${name === "A" ? "the node" : `seat ${name}`}`,
            ratio(ms),
          ]),
          ["commit mined to verdict mined", medianAndWorst(verdicts)],
        ],
        data: {
          bare,
          bareBefore,
          wallMs,
          cpuMs: Object.fromEntries(cpu),
          commitToVerdictMs: verdicts,
          peakPssBytes: story.peakPssBytes,
        },
      },
    ];
  } finally {
    await network.close();
  }
}

/** Of two runs of the same steps. */
function meanOf(one: BareLoopResult, other: BareLoopResult): BareLoopResult {
  const mean = (field: "cpuMs" | "wallMs") => (one[field] + other[field]) / 2;
  const steps = (one.stepsPerSecond * one.wallMs) / 1000;
  return { cpuMs: mean("cpuMs"), wallMs: mean("wallMs"), stepsPerSecond: steps / (mean("wallMs") / 1000) };
}
