import { memo } from "react";
import { type FillKind, fill } from "../../../ui/Swatch.tsx";
import type { RunData } from "../model/recordedRun.ts";
import type { Fate, LeasePiece } from "../model/steps.ts";
import { type Frame, stepAt } from "./axis.ts";
import { type LaneProps, Pan } from "./Lanes.tsx";

const KIND: Readonly<Record<Fate, FillKind>> = { accepted: "pv", waiting: "wait", refused: "no", lost: "lost" };

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
        <svg className="lanes over own" width={frame.width} height="56" aria-hidden="true">
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
      <g key={piece.fence} transform={`translate(${x} 0)`}>
        <rect x="3" y="23" width={width} height="18" className="tagb" />
        <text x="9" y="36" className="tagt">
          {text}
        </text>
      </g>
    );
  });
}
