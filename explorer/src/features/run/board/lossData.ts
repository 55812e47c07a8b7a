import type { RunData } from "../model/recordedRun.ts";
import type { Fate } from "../model/steps.ts";
import type { RunState } from "../model/types.ts";
import type { Mode } from "./axis.ts";

/** One line of the loss chart: one provider's steps of one fate. NaN where it has none. */
export interface LossSeries {
  readonly index: number;
  readonly name: string;
  readonly look: "kept" | "refused" | "lost";
  readonly raw: Float64Array;
  readonly smooth: Float64Array;
}

/** Every step of the run, sorted into lines; worked out once and drawn from at every view (`lossView`). */
export interface LossData {
  /** rising */
  readonly x: Float64Array;
  readonly series: readonly LossSeries[];
}

/** What became of each commit, to look a step's fate up by lease and step. */
function fateLookup(state: RunState, steps: number): (fence: number, step: number) => Fate {
  const commits = new Map<number, { to: number; fate: Fate }[]>();
  for (const c of state.checkpoints) {
    const fate: Fate =
      c.status === "pending"
        ? "waiting"
        : c.status === "accepted" || c.status === "paid"
          ? "accepted"
          : c.status === "refused" || c.status === "final" || c.status === "overturned"
            ? "refused"
            : "lost";
    const own = commits.get(c.fence) ?? [];
    own.push({ to: c.step, fate });
    commits.set(c.fence, own);
  }
  const ended = new Set(state.leases.filter((l) => l.end).map((l) => l.fence));
  return (fence, step) => {
    const commit = commits.get(fence)?.find((c) => step <= c.to);
    if (commit) return commit.fate;
    return ended.has(fence) && step < steps ? "lost" : "waiting";
  };
}

const look = (fate: Fate): LossSeries["look"] => (fate === "refused" ? "refused" : fate === "lost" ? "lost" : "kept");

/** Sorts every step into lines over one shared x axis, with a gap wherever a line must not run on. */
export function lossData(run: RunData, state: RunState, mode: Mode): LossData {
  const fate = fateLookup(state, run.meta.steps);
  const providerOf = new Map(state.leases.map((l) => [l.fence, l.provider]));
  const groups = new Map<string, { index: number; name: string; look: LossSeries["look"]; at: number[] }>();
  const { steps } = run;
  for (let i = 0; i < steps.length; i++) {
    const fence = steps.fence[i] as number;
    const address = providerOf.get(fence) ?? "";
    const kind = look(fate(fence, steps.step[i] as number));
    const key = `${address} ${kind}`;
    let group = groups.get(key);
    if (!group) {
      const party = run.meta.parties.get(address);
      group = { index: party?.index ?? 0, name: party?.name ?? "?", look: kind, at: [] };
      groups.set(key, group);
    }
    group.at.push(i);
  }
  return mode === "time" ? byTime(run, [...groups.values()]) : byStep(run, [...groups.values()]);
}

type Group = { index: number; name: string; look: LossSeries["look"]; at: number[] };

function byTime({ steps }: RunData, groups: Group[]): LossData {
  // Between two leases stands a point that belongs to nobody, so that no line bridges the hand-over.
  const x: number[] = [];
  const place: number[] = [];
  for (let i = 0; i < steps.length; i++) {
    const t = steps.t[i] as number;
    if (i > 0 && steps.fence[i] !== steps.fence[i - 1]) x.push(((steps.t[i - 1] as number) + t) / 2);
    place.push(x.length);
    x.push(t);
  }
  return {
    x: Float64Array.from(x),
    series: groups.map((group) => fillSeries(group, x.length, steps, (i) => place[i] as number)),
  };
}

function byStep({ steps }: RunData, groups: Group[]): LossData {
  // Only steps that were trained have a row: a step's number is somebody's word, and may be any.
  const trained = [...new Set(steps.step)].sort((a, b) => a - b);
  const x: number[] = [];
  const place = new Map<number, number>();
  for (const step of trained) {
    const before = x.at(-1);
    // A row that belongs to nobody, so that no line bridges steps that are not known.
    if (before !== undefined && step > before + 1) x.push(before + 1);
    place.set(step, x.length);
    x.push(step);
  }
  return {
    x: Float64Array.from(x),
    series: groups.map((group) => fillSeries(group, x.length, steps, (i) => place.get(steps.step[i] as number) ?? 0)),
  };
}

function fillSeries(group: Group, length: number, steps: RunData["steps"], place: (i: number) => number): LossSeries {
  const raw = new Float64Array(length).fill(Number.NaN);
  const smooth = new Float64Array(length).fill(Number.NaN);
  for (const i of group.at) {
    raw[place(i)] = steps.loss[i] as number;
    smooth[place(i)] = steps.smooth[i] as number;
  }
  return { index: group.index, name: group.name, look: group.look, raw, smooth };
}

/** Changes exactly when some step's fate may have. */
export function fateKey(state: RunState): string {
  return `${state.checkpoints.map((c) => c.status).join()} ${state.leases.map((l) => (l.end ? 1 : 0)).join("")}`;
}
