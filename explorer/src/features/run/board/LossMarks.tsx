import { memo, useMemo } from "react";
import { Marker } from "../../../charts/Marker.tsx";
import type { RunData } from "../model/recordedRun.ts";
import { fateOf, lastStepAt } from "../model/steps.ts";
import type { RunState } from "../model/types.ts";
import type { Frame } from "./axis.ts";
import { LOSS_HEIGHT } from "./LossChart.tsx";
import { lossExtent, lossToPixel } from "./lossExtent.ts";

/** More markers than this would hide the lines that they mark. */
const MOST_MARKERS = 400;

/** Shapes on the loss lines at each commit: colour is never the only sign of who. */
export const LossMarks = memo(function LossMarks({ frame, run, end }: { frame: Frame; run: RunData; end: RunState }) {
  const extent = useMemo(() => lossExtent(run.steps), [run.steps]);
  const names = useMemo(() => firstOfEach(run, end), [run, end]);
  const commits = useMemo(() => markedCommits(run, end), [run, end]);
  if (!extent) return null;
  const y = lossToPixel(extent, LOSS_HEIGHT);
  const [low, high] = [frame.left - frame.beyond, frame.width - frame.right + frame.beyond];
  const inside = (x: number) => x >= low && x <= high;
  const place = ({ t, step }: Place) => (frame.mode === "time" ? frame.x(t) : frame.x(step));
  return (
    <svg className="lossmarks" width={frame.width} height={LOSS_HEIGHT} aria-hidden="true">
      {names.map((name) => {
        const x = place(name);
        if (!inside(x)) return null;
        return (
          <text
            key={`${name.name} ${name.t}`}
            x={x + 8}
            y={Math.max(16, y(name.loss) - 10)}
            className="dl"
            style={{ fill: `var(--p${Math.min(6, name.index) || 4}-t)` }}
          >
            {name.name}
          </text>
        );
      })}
      {commits.map((commit) => {
        const x = place(commit);
        if (!inside(x)) return null;
        return <Marker key={commit.id} index={commit.index} x={x} y={y(commit.loss)} hollow={commit.hollow} />;
      })}
    </svg>
  );
});

interface Place {
  readonly t: number;
  readonly step: number;
  readonly loss: number;
  readonly index: number;
}

function markedCommits(run: RunData, end: RunState): (Place & { id: string; hollow: boolean })[] {
  if (end.checkpoints.length > MOST_MARKERS) return [];
  return end.checkpoints.flatMap((c) => {
    const last = lastStepAt(run.steps, c.committed.t);
    const own = ownStep(run, c.fence, c.step, last);
    if (own < 0) return [];
    const index = run.meta.parties.get(c.provider)?.index ?? 0;
    const loss = run.steps.smooth[own] as number;
    return [{ id: c.id, t: c.committed.t, step: c.step, loss, index, hollow: fateOf(c.status) !== "accepted" }];
  });
}

/** The row of a lease's own step, looked for backwards from its commit: several leases may have trained the same one. */
function ownStep({ steps }: RunData, fence: number, step: number, from: number): number {
  for (let i = from; i >= 0; i--) if (steps.fence[i] === fence && steps.step[i] === step) return i;
  return from;
}

function firstOfEach(run: RunData, end: RunState): (Place & { name: string })[] {
  return end.leases.flatMap((lease) => {
    const i = run.steps.fence.indexOf(lease.fence);
    const party = run.meta.parties.get(lease.provider);
    if (i < 0 || !party) return [];
    const { t, step, smooth } = run.steps;
    return [
      { index: party.index, name: party.name, t: t[i] as number, step: step[i] as number, loss: smooth[i] as number },
    ];
  });
}
