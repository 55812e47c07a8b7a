import { memo, type ReactNode } from "react";
import { count } from "../../../format/number.ts";
import { clock } from "../../../format/time.ts";
import type { RunData } from "../model/recordedRun.ts";
import type { KeyEvent } from "../model/types.ts";
import { type Frame, ticks } from "./axis.ts";
import { placeLabels } from "./placeLabels.ts";

/** Moments in words, where they fit; the lines they stand on run through every lane. */
export const EventLane = memo(function EventLane({ frame, events }: { frame: Frame; events: readonly KeyEvent[] }) {
  const labels = placeLabels(
    events.map((event) => ({ x: frame.xt(event.t), width: labelWidth(event), rank: event.rank })),
    frame.left,
    frame.width,
  );
  return (
    <svg className="lanes own" width={frame.width} height="52" aria-hidden="true">
      <text x="0" y="32" className="lane">
        Events
      </text>
      {events.map((event, i) => {
        const label = labels[i];
        if (!label) return null;
        return (
          <g
            key={`${event.t} ${event.title}`}
            transform={`translate(${label.x} 0)`}
            textAnchor={label.end ? "end" : "start"}
          >
            <text y="18" className={event.tone === "bad" ? "evt bad" : "evt"}>
              {clock(event.t)} {event.title}
            </text>
            <text y="36" className="evs">
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
        if (x < frame.left - frame.beyond || x > frame.width - frame.right + 1 + frame.beyond) return null;
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
  // Whole pixels: between them a canvas and small text would be smeared.
  const x = Math.round(frame.x(still.view[0]) - 2 * frame.left + pad);
  return (
    <div className="panclip" style={{ left: frame.left - pad, width: frame.width - frame.left + pad, height }}>
      <div className="pan" style={{ transform: `translateX(${x}px)` }}>
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

export interface LaneProps {
  readonly frame: Frame;
  readonly still: Frame;
  readonly run: RunData;
}

export const AxisLane = memo(function AxisLane({ frame }: { frame: Frame }) {
  return (
    <svg className="lanes own" width={frame.width} height="22" aria-hidden="true">
      {ticks(frame, frame.width < 500 ? 64 : 96).map((value) => (
        <text key={value} transform={`translate(${frame.x(value)} 15)`} textAnchor="middle">
          {frame.mode === "time" ? clock(value, frame.view[1] - frame.view[0] < 8000) : count(value)}
        </text>
      ))}
    </svg>
  );
});
