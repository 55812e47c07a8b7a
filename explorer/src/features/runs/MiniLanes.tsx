import type { RecordingSummary } from "../../recordings/summary.ts";
import { type FillKind, fill } from "../../ui/Swatch.tsx";

const KIND: Readonly<Record<RecordingSummary["lanes"][number]["fate"], FillKind>> = {
  accepted: "pv",
  waiting: "wait",
  refused: "no",
  lost: "lost",
};

const WIDTH = 220;

/** A run's lease lane, small. */
export function MiniLanes({ summary }: { summary: RecordingSummary }) {
  const x = (ms: number) => (ms / Math.max(1, summary.durationMs)) * WIDTH;
  const words = summary.lanes.map((l) => `${l.name} ${l.fate}`);
  return (
    <svg width={WIDTH} height="14" role="img" aria-label={words.filter((w, i) => w !== words[i - 1]).join(", ")}>
      <rect width={WIDTH} height="14" className="fut" />
      {summary.lanes.map((lane) => (
        <rect
          key={`${lane.fromMs} ${lane.fate}`}
          x={x(lane.fromMs)}
          width={Math.max(0.5, x(lane.toMs) - x(lane.fromMs))}
          height="14"
          fill={fill(KIND[lane.fate], lane.index)}
        />
      ))}
    </svg>
  );
}
