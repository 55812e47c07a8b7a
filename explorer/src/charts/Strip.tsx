import { fill } from "../ui/Swatch.tsx";
import { clip, discardRows, type StripDiscard, type StripMark, type StripPiece } from "./stripLayout.ts";
import { useWidth } from "./useWidth.ts";

interface StripProps {
  readonly steps: number;
  /** steps per segment; segments wrap on a narrow screen */
  readonly perSegment: number;
  readonly model: readonly StripPiece[];
  readonly discarded: readonly StripDiscard[];
  readonly marks: readonly StripMark[];
  readonly cursor: number | undefined;
  /** the whole picture in words */
  readonly label: string;
}

const BAR = 30;
const ROW = 14;
const GAP = 4;

/** The step is the unit: every step of the run as one cell, what was thrown away in half-height rows above. */
export function Strip(props: StripProps) {
  const [ref, width] = useWidth<HTMLDivElement>(300);
  const rows = discardRows(props.discarded);
  const segments = Array.from({ length: Math.ceil(props.steps / props.perSegment) }, (_, i) => i * props.perSegment);
  return (
    <div className="strip" role="img" aria-label={props.label}>
      {segments.map((start, i) => (
        <div className="stripseg" key={start} ref={i === 0 ? ref : undefined}>
          <Segment {...props} start={start} width={width} rows={rows} />
        </div>
      ))}
    </div>
  );
}

function Segment(props: StripProps & { start: number; width: number; rows: number[] }) {
  const { start, width, rows } = props;
  const end = Math.min(props.steps, start + props.perSegment);
  const px = width / props.perSegment;
  const x = (step: number) => (step - start) * px;
  const discards = props.discarded.flatMap((piece, i) => {
    const inside = clip(piece, start, end);
    return inside ? [{ ...inside, row: rows[i] ?? 0 }] : [];
  });
  const top = Math.max(1, ...rows.map((r) => r + 1)) * (ROW + GAP);
  return (
    <svg width={width} height={top + BAR + 18} aria-hidden="true">
      {discards.map((piece) => {
        const y = top - (piece.row + 1) * (ROW + GAP);
        return piece.kind === "no" ? (
          <rect
            key={key(piece)}
            x={x(piece.from)}
            y={y}
            width={x(piece.to) - x(piece.from)}
            height={ROW}
            fill={fill("no", piece.index)}
          />
        ) : (
          <g key={key(piece)} className="lostc" style={{ stroke: `var(--p${piece.index})` }}>
            {range(piece.from, piece.to).map((step) => (
              <rect key={step} x={x(step) + 0.5} y={y + 0.5} width={Math.max(1, px - 2)} height={ROW - 1} />
            ))}
          </g>
        );
      })}
      <rect y={top} width={x(end)} height={BAR} className="fut" />
      {props.model.map((piece) => {
        const inside = clip(piece, start, end);
        if (!inside) return null;
        return (
          <rect
            key={key(inside)}
            x={x(inside.from)}
            y={top}
            width={x(inside.to) - x(inside.from)}
            height={BAR}
            fill={fill(inside.kind, inside.index)}
          />
        );
      })}
      {px >= 3 && (
        <path
          className="cellgap"
          d={range(start + 1, end + 1)
            .map((s) => `M${x(s) - 0.5} ${top}v${BAR}`)
            .join("")}
        />
      )}
      {props.marks.map(({ step, state }) => {
        if (step <= start || step > end) return null;
        const last = step === end;
        return (
          <g key={step}>
            <path d={`M${x(step) - 0.5} ${top - 2}v${BAR + 6}`} className={`ck ${state}`} />
            <text x={x(step)} y={top + BAR + 15} textAnchor={last ? "end" : "middle"} className={`ckt ${state}`}>
              {step}
              {state === "ok" ? " ✓" : state === "wait" ? " ?" : ""}
            </text>
          </g>
        );
      })}
      {props.cursor !== undefined && props.cursor > start && props.cursor <= end && (
        <path d={`M${x(props.cursor)} ${top - 4}v${BAR + 8}`} className="cur" />
      )}
    </svg>
  );
}

const key = (piece: { from: number; to: number; index: number; kind: string; row?: number }) =>
  `${piece.from}-${piece.to}-${piece.index}-${piece.kind}-${piece.row ?? 0}`;

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
