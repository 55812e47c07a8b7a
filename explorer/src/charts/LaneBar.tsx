import { clock } from "../format/time.ts";
import type { RecordingSummary } from "../recordings/summary.ts";
import { type FillKind, fill } from "../ui/Swatch.tsx";
import { useWidth } from "./useWidth.ts";

const KIND: Readonly<Record<RecordingSummary["lanes"][number]["fate"], FillKind>> = {
  accepted: "pv",
  waiting: "wait",
  refused: "no",
  lost: "lost",
};

/** A whole run in one line: who held it when, and the moments that mattered. */
export function LaneBar({ summary }: { summary: RecordingSummary }) {
  const [ref, width] = useWidth<HTMLDivElement>(900);
  const total = Math.max(1, summary.durationMs);
  const x = (ms: number) => (ms / total) * width;
  const marks = placed(
    summary.marks.filter((m) => m.tone !== "plain" || m.title === "Posted"),
    x,
    width,
  );
  return (
    <div className="lanebar" ref={ref} role="img" aria-label={inWords(summary)}>
      <svg width={width} height="84" aria-hidden="true">
        {summary.lanes.map((lane) => (
          <rect
            key={`${lane.fromMs} ${lane.fate}`}
            x={x(lane.fromMs)}
            y="26"
            width={Math.max(0.5, x(lane.toMs) - x(lane.fromMs))}
            height="28"
            fill={fill(KIND[lane.fate], lane.index)}
          />
        ))}
        {marks.map((mark) => (
          <g key={`${mark.t} ${mark.title}`}>
            <path d={`M${Math.round(x(mark.t)) + 0.5} ${mark.show ? 2 : 22}V58`} className="lmark" />
            {mark.show && (
              <text
                x={x(mark.t) + (mark.end ? -6 : 6)}
                y="14"
                textAnchor={mark.end ? "end" : "start"}
                className="lt hi"
              >
                {clock(mark.t)} {mark.title}
              </text>
            )}
          </g>
        ))}
        {holders(summary).map((holder) => (
          <text key={holder.fromMs} x={x(holder.fromMs)} y="74" className="lt">
            {holder.name}
          </text>
        ))}
      </svg>
    </div>
  );
}

/** Labels only where they fit: a mark always shows, its words when there is room for them. */
function placed<M extends { t: number; title: string }>(marks: readonly M[], x: (t: number) => number, width: number) {
  let free = 0;
  return marks.map((mark, i) => {
    const words = (mark.title.length + 6) * 7;
    const end = x(mark.t) + words > width;
    const from = end ? x(mark.t) - words : x(mark.t);
    const next = marks[i + 1];
    const show =
      from >= free &&
      (end ||
        !next ||
        x(next.t) > x(mark.t) + words ||
        mark.title.includes("refused") ||
        mark.title.includes("killed"));
    if (show) free = from + words;
    return { ...mark, end, show };
  });
}

function holders({ lanes }: RecordingSummary) {
  return lanes.filter((lane, i) => lanes[i - 1]?.name !== lane.name);
}

function inWords({ title, lanes, marks }: RecordingSummary): string {
  const who = lanes.map((l) => `${l.name} ${clock(l.fromMs)} to ${clock(l.toMs)}, ${l.fate}`).join("; ");
  return `${title}. ${who}. ${marks.map((m) => `${clock(m.t)} ${m.title}`).join(", ")}.`;
}
