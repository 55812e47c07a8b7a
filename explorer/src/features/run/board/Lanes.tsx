import { memo } from "react";
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

/** Who held the lease, and what became of the work. By step, what was thrown away stands above. */
export function LeaseLane({ frame, pieces, run }: { frame: Frame; pieces: readonly LeasePiece[]; run: RunData }) {
  const stepMode = frame.mode === "step";
  const discarded = (p: LeasePiece) => p.fate === "refused" || p.fate === "lost";
  return (
    <svg className="lanes" width={frame.width} height="56" aria-hidden="true">
      <clipPath id="lease-clip">
        <rect x={frame.left} width={Math.max(0, frame.width - frame.left - frame.right)} height="56" />
      </clipPath>
      <text x="0" y="36" className="lane wideonly">
        Lease
      </text>
      <g clipPath="url(#lease-clip)">
        {pieces.map((piece) => {
          const [from, to] = stepMode
            ? [piece.fromStep, piece.toStep ?? Math.max(piece.fromStep, stepAt(run, piece.toT))]
            : [piece.fromT, piece.toT];
          const x = frame.x(from);
          const w = frame.x(to) - x;
          if (w <= 0 || x > frame.width || x + w < frame.left) return null;
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
        {!stepMode && leaseTags(pieces, run, frame)}
      </g>
    </svg>
  );
}

function leaseTags(pieces: readonly LeasePiece[], run: RunData, frame: Frame) {
  const first = new Map<number, LeasePiece>();
  const last = new Map<number, LeasePiece>();
  for (const piece of pieces) {
    if (!first.has(piece.fence)) first.set(piece.fence, piece);
    last.set(piece.fence, piece);
  }
  return [...first.values()].map((piece) => {
    const x = Math.max(frame.left, frame.x(piece.fromT));
    const room = frame.x(last.get(piece.fence)?.toT ?? piece.toT) - x;
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
export const CheckpointLane = memo(function CheckpointLane({
  frame,
  state,
  run,
}: {
  frame: Frame;
  state: RunState;
  run: RunData;
}) {
  const at = (c: CheckpointInfo) => (frame.mode === "time" ? frame.x(c.committed.t) : frame.x(c.step));
  const good = state.checkpoints.filter((c) => fateOf(c.status) === "accepted" || fateOf(c.status) === "waiting");
  const bad = state.checkpoints.filter((c) => !good.includes(c));
  const genesis = frame.mode === "time" ? frame.x(state.leases[0]?.start.t ?? 0) : frame.x(0);
  const shown = (c: CheckpointInfo) => at(c) >= frame.left - 8 && at(c) <= frame.width;
  let labelled = -99;
  return (
    <svg className="lanes" width={frame.width} height="92" aria-hidden="true">
      <clipPath id="ck-clip">
        <rect x={frame.left - 9} width={Math.max(0, frame.width - frame.left + 9)} height="92" />
      </clipPath>
      <text x="0" y="30" className="lane wideonly">
        Checkpoints
      </text>
      <text x="0" y="47" className="lsub wideonly">
        three votes each
      </text>
      <g clipPath="url(#ck-clip)">
        <path className="edge" d={`M${genesis} 26${good.map((c) => `L${at(c)} 26`).join("")}`} fill="none" />
        <rect x={genesis - 4} y="22" width="8" height="8" className="gen" />
        {bad.map((c) => {
          const parent = state.checkpoints.find((p) => p.id === c.parentId);
          return (
            <path
              key={c.id}
              className="edge bad"
              d={`M${parent ? at(parent) : genesis} 26C${at(c) - 30} 30 ${at(c) - 40} 62 ${at(c)} 62`}
            />
          );
        })}
        {state.checkpoints.filter(shown).map((c) => {
          const y = good.includes(c) ? 26 : 62;
          const label = y === 62 || at(c) - labelled > 30;
          if (label && y === 26) labelled = at(c);
          const index = run.meta.parties.get(c.provider)?.index ?? 0;
          return (
            <g key={c.id}>
              {label && (
                <text x={at(c)} y={y - 14} textAnchor="middle" className="nl">
                  {count(c.step)}
                </text>
              )}
              <CheckpointNode x={at(c)} y={y} checkpoint={c} index={index} />
              {label && <Votes x={at(c)} y={y + 13} checkpoint={c} />}
            </g>
          );
        })}
      </g>
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
