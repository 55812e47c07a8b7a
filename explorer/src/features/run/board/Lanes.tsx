import { memo, type ReactNode } from "react";
import { count } from "../../../format/number.ts";
import { clock } from "../../../format/time.ts";
import { type FillKind, fill } from "../../../ui/Swatch.tsx";
import type { RunData } from "../model/recordedRun.ts";
import { type Fate, fateOf, type LeasePiece } from "../model/steps.ts";
import type { CheckpointInfo, KeyEvent, RunState } from "../model/types.ts";
import { type Frame, stepAt, ticks } from "./axis.ts";
import { placeLabels } from "./placeLabels.ts";

const KIND: Readonly<Record<Fate, FillKind>> = { accepted: "pv", waiting: "wait", refused: "no", lost: "lost" };

/** Moments in words, where they fit; the lines they stand on run through every lane. */
export const EventLane = memo(function EventLane({ frame, events }: { frame: Frame; events: readonly KeyEvent[] }) {
  const labels = placeLabels(
    events.map((event) => ({ x: frame.xt(event.t), width: labelWidth(event), rank: event.rank })),
    frame.left,
    frame.width,
  );
  return (
    <svg className="lanes" width={frame.width} height="52" aria-hidden="true">
      <text x="0" y="32" className="lane">
        Events
      </text>
      {events.map((event, i) => {
        const label = labels[i];
        if (!label) return null;
        return (
          <g key={`${event.t} ${event.title}`} textAnchor={label.end ? "end" : "start"}>
            <text x={label.x} y="18" className={event.tone === "bad" ? "evt bad" : "evt"}>
              {clock(event.t)} {event.title}
            </text>
            <text x={label.x} y="36" className="evs">
              {event.detail}
            </text>
          </g>
        );
      })}
    </svg>
  );
});

const labelWidth = (e: KeyEvent) => Math.max(clock(e.t).length + e.title.length + 1, e.detail.length * 0.95) * 7.1 + 14;

export const EventLines = memo(function EventLines({
  frame,
  events,
  height,
}: {
  frame: Frame;
  events: readonly KeyEvent[];
  height: number;
}) {
  return (
    <svg className="evlines" width={frame.width} height={height} aria-hidden="true">
      {events.map((event) => {
        if (event.rank > 1) return null;
        const x = Math.round(frame.xt(event.t)) + 0.5;
        if (x < frame.left || x > frame.width - frame.right + 1) return null;
        return (
          <path
            key={`${event.t} ${event.title}`}
            d={`M${x} 0V${height}`}
            className={event.tone === "bad" ? "ev bad" : "ev"}
          />
        );
      })}
    </svg>
  );
});

/** Where a still drawing lies just now, and the window that it is seen through. */
export function Pan({ frame, still, height, pad = 0, children }: PanProps) {
  return (
    <div className="panclip" style={{ left: frame.left - pad, width: frame.width - frame.left + pad, height }}>
      <div className="pan" style={{ transform: `translateX(${frame.x(still.view[0]) - 2 * frame.left + pad}px)` }}>
        {children}
      </div>
    </div>
  );
}

interface PanProps {
  readonly frame: Frame;
  readonly still: Frame;
  readonly height: number;
  /** pixels of the drawing that may stand left of the axis' start */
  readonly pad?: number;
  readonly children: ReactNode;
}

interface LaneProps {
  readonly frame: Frame;
  readonly still: Frame;
  readonly run: RunData;
}

/** Who held the lease, and what became of the work. By step, what was thrown away stands above. */
export function LeaseLane({ frame, still, pieces, run }: LaneProps & { pieces: readonly LeasePiece[] }) {
  return (
    <div className="lane56">
      <svg className="lanes" width={frame.width} height="56" aria-hidden="true">
        <text x="0" y="36" className="lane wideonly">
          Lease
        </text>
      </svg>
      <Pan frame={frame} still={still} height={56}>
        <LeaseRects frame={still} pieces={pieces} run={run} />
      </Pan>
      {frame.mode === "time" && (
        <svg className="lanes over" width={frame.width} height="56" aria-hidden="true">
          {leaseTags(pieces, run, frame)}
        </svg>
      )}
    </div>
  );
}

const LeaseRects = memo(function LeaseRects(props: { frame: Frame; pieces: readonly LeasePiece[]; run: RunData }) {
  const { frame, pieces, run } = props;
  const stepMode = frame.mode === "step";
  const discarded = (p: LeasePiece) => p.fate === "refused" || p.fate === "lost";
  return (
    <svg className="lanes" width={frame.width} height="56" aria-hidden="true">
      {pieces.map((piece) => {
        const [from, to] = stepMode
          ? [piece.fromStep, piece.toStep ?? Math.max(piece.fromStep, stepAt(run, piece.toT))]
          : [piece.fromT, piece.toT];
        const x = frame.x(from);
        const w = frame.x(to) - x;
        if (w <= 0 || x > frame.width + frame.beyond || x + w < frame.left - frame.beyond) return null;
        const above = stepMode && discarded(piece);
        const index = run.meta.parties.get(piece.provider)?.index ?? 0;
        return (
          <rect
            key={`${piece.fence} ${piece.fromT} ${piece.fate}`}
            x={x}
            y={above ? 0 : 18}
            width={w}
            height={above ? 14 : 28}
            className={piece.fate === "lost" ? "hollow" : undefined}
            style={piece.fate === "lost" ? { stroke: `var(--p${index || 4})` } : undefined}
            fill={piece.fate === "lost" ? undefined : fill(KIND[piece.fate], index)}
          />
        );
      })}
    </svg>
  );
});

/** Who holds it, at the part of its lease that is in view. */
function leaseTags(pieces: readonly LeasePiece[], run: RunData, frame: Frame) {
  const first = new Map<number, LeasePiece>();
  const last = new Map<number, LeasePiece>();
  for (const piece of pieces) {
    if (!first.has(piece.fence)) first.set(piece.fence, piece);
    last.set(piece.fence, piece);
  }
  const right = frame.width - frame.right;
  return [...first.values()].map((piece) => {
    const x = Math.max(frame.left, frame.x(piece.fromT));
    const room = Math.min(right, frame.x(last.get(piece.fence)?.toT ?? piece.toT)) - x;
    const name = run.meta.parties.get(piece.provider)?.name ?? "?";
    const text = room > 92 ? `${name} · fence ${piece.fence}` : name;
    const width = text.length * 6.7 + 12;
    if (room < width + 4) return null;
    return (
      <g key={piece.fence}>
        <rect x={x + 3} y="23" width={width} height="18" className="tagb" />
        <text x={x + 9} y="36" className="tagt">
          {text}
        </text>
      </g>
    );
  });
}

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

export const AxisLane = memo(function AxisLane({ frame }: { frame: Frame }) {
  return (
    <svg className="lanes" width={frame.width} height="22" aria-hidden="true">
      {ticks(frame, frame.width < 500 ? 64 : 96).map((value) => (
        <text key={value} x={frame.x(value)} y="15" textAnchor="middle">
          {frame.mode === "time" ? clock(value, frame.view[1] - frame.view[0] < 8000) : count(value)}
        </text>
      ))}
    </svg>
  );
});
