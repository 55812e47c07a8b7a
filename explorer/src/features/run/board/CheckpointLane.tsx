import { memo } from "react";
import { count } from "../../../format/number.ts";
import { fill } from "../../../ui/Swatch.tsx";
import type { RunData } from "../model/recordedRun.ts";
import { fateOf } from "../model/steps.ts";
import type { CheckpointInfo, RunState } from "../model/types.ts";
import type { Frame } from "./axis.ts";
import { type LaneProps, Pan } from "./Lanes.tsx";

/** The lineage: accepted ones on one line, what was refused or fell away below it. */
export function CheckpointLane({ frame, still, state, run }: LaneProps & { state: RunState }) {
  return (
    <div className="lane92">
      <svg className="lanes" width={frame.width} height="92" aria-hidden="true">
        <text x="0" y="30" className="lane wideonly">
          Checkpoints
        </text>
        <text x="0" y="47" className="lsub wideonly">
          three votes each
        </text>
      </svg>
      <Pan frame={frame} still={still} height={92} pad={9}>
        <Lineage frame={still} state={state} run={run} />
      </Pan>
    </div>
  );
}

const Lineage = memo(function Lineage({ frame, state, run }: { frame: Frame; state: RunState; run: RunData }) {
  const at = (c: CheckpointInfo) => (frame.mode === "time" ? frame.x(c.committed.t) : frame.x(c.step));
  const good = state.checkpoints.filter((c) => fateOf(c.status) === "accepted" || fateOf(c.status) === "waiting");
  const kept = new Set(good);
  const parents = new Map(state.checkpoints.map((c) => [c.id, c]));
  const genesis = frame.mode === "time" ? frame.x(state.leases[0]?.start.t ?? 0) : frame.x(0);
  const [low, high] = [frame.left - 8 - frame.beyond, frame.width + frame.beyond];
  let labelled = Number.NEGATIVE_INFINITY;
  return (
    <svg className="lanes" width={frame.width} height="92" aria-hidden="true">
      <path className="edge" d={`M${genesis} 26${good.map((c) => `L${at(c)} 26`).join("")}`} fill="none" />
      <rect x={genesis - 4} y="22" width="8" height="8" className="gen" />
      {state.checkpoints.map((c) => {
        if (kept.has(c)) return null;
        const parent = parents.get(c.parentId);
        return (
          <path
            key={c.id}
            className="edge bad"
            d={`M${parent ? at(parent) : genesis} 26C${at(c) - 30} 30 ${at(c) - 40} 62 ${at(c)} 62`}
          />
        );
      })}
      {state.checkpoints.map((c) => {
        const x = at(c);
        const y = kept.has(c) ? 26 : 62;
        const label = y === 62 || x - labelled > 30;
        if (label && y === 26) labelled = x;
        if (x < low || x > high) return null;
        const index = run.meta.parties.get(c.provider)?.index ?? 0;
        return (
          <g key={c.id}>
            {label && (
              <text x={x} y={y - 14} textAnchor="middle" className="nl">
                {count(c.step)}
              </text>
            )}
            <CheckpointNode x={x} y={y} checkpoint={c} index={index} />
            {label && <Votes x={x} y={y + 13} checkpoint={c} />}
          </g>
        );
      })}
    </svg>
  );
});

function CheckpointNode({
  x,
  y,
  checkpoint,
  index,
}: {
  x: number;
  y: number;
  checkpoint: CheckpointInfo;
  index: number;
}) {
  const fate = fateOf(checkpoint.status);
  if (fate === "waiting") return <circle cx={x} cy={y} r="7" className="nwait" style={{ fill: fill("wait", index) }} />;
  if (fate === "accepted") {
    return (
      <g className="node">
        <circle cx={x} cy={y} r="8" style={{ fill: `var(--p${index || 4})` }} />
        <path d={`M${x - 3.5} ${y}l2.5 2.5L${x + 3.5} ${y - 3}`} />
      </g>
    );
  }
  return (
    <g className="node no">
      <circle cx={x} cy={y} r="8" />
      {fate === "refused" && <path d={`M${x - 3} ${y - 3}l6 6M${x + 3} ${y - 3}l-6 6`} />}
    </g>
  );
}

function Votes({ x, y, checkpoint }: { x: number; y: number; checkpoint: CheckpointInfo }) {
  return [0, 1, 2].map((seat) => {
    const vote = checkpoint.votes.find((v) => v.seat === seat);
    const left = x - 11 + seat * 8;
    if (!vote) return <rect key={seat} x={left + 0.5} y={y + 0.5} width="5" height="5" className="vnone" />;
    if (vote.outcome === "accept") return <rect key={seat} x={left} y={y} width="6" height="6" className="va" />;
    return <path key={seat} d={`M${left} ${y}l6 6M${left + 6} ${y}l-6 6`} className="vx" />;
  });
}
