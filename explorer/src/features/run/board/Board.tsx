import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from "react";
import { useWidth } from "../../../charts/useWidth.ts";
import { count, loss } from "../../../format/number.ts";
import { clock } from "../../../format/time.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import type { RunData } from "../model/recordedRun.ts";
import { lastStepAt } from "../model/steps.ts";
import type { RunState } from "../model/types.ts";
import {
  clampView,
  type Frame,
  fullView,
  type Mode,
  makeFrame,
  stepAt,
  stillFrame,
  timeOfStep,
  type View,
} from "./axis.ts";
import { BoardLegend } from "./BoardLegend.tsx";
import { EventList } from "./EventList.tsx";
import { AxisLane, CheckpointLane, EventLane, EventLines, LeaseLane, Pan } from "./Lanes.tsx";
import { LOSS_HEIGHT, LossChart } from "./LossChart.tsx";
import { LossMarks } from "./LossMarks.tsx";
import { piecesAround } from "./pieces.ts";
import { StepTable } from "./StepTable.tsx";

interface BoardProps {
  readonly run: RunData;
  /** state at the cursor */
  readonly now: RunState;
  /** state at the end of what is known */
  readonly end: RunState;
  readonly t: number;
  readonly onSeek: (t: number) => void;
}

const LINES = ["raw + smooth", "raw"] as const;

/** The lab instrument: lanes that share one axis and one cursor. */
export function Board({ run, now, end, t, onSeek }: BoardProps) {
  const [ref, width] = useWidth<HTMLDivElement>(900);
  const [mode, setMode] = useState<Mode>("time");
  const [lines, setLines] = useState<(typeof LINES)[number]>("raw + smooth");
  const [table, setTable] = useState(false);
  const [zoom, setZoom] = useState<View | undefined>();
  const narrow = width < 640;
  const whole = fullView(run, mode);
  const frame = useMemo(
    () => makeFrame(run, mode, width, zoom ?? whole, narrow),
    [run, mode, width, zoom, whole[0], whole[1], narrow],
  );
  const setView = (view: View) => setZoom(clampView(view, whole, mode === "time" ? 500 : 5));
  const zoomBy = (factor: number, around = mode === "time" ? t : stepAt(run, t)) => {
    const [from, to] = frame.view;
    setView([around - (around - from) * factor, around + (to - around) * factor]);
  };
  const { anchor, make } = stillFrame(run, frame, whole, narrow);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a view that only moves keeps the anchor, and so the drawing
  const still = useMemo(make, [run, mode, width, narrow, anchor[0], anchor[1]]);
  const pieces = useMemo(
    () => piecesAround(now, end, t, run.duration, run.meta.steps),
    [now, end, t, run.duration, run.meta.steps],
  );
  return (
    <section className="board" aria-labelledby="b-h">
      <div className="bhead">
        <h2 id="b-h">The run, second by second</h2>
        <div className="bctl">
          <Segmented
            label="Horizontal axis"
            value={mode}
            options={[
              { value: "time", label: "Time" },
              { value: "step", label: "Step" },
            ]}
            onChange={(next) => {
              setMode(next);
              setZoom(undefined);
            }}
          />
          {run.steps.length > 0 && (
            <Segmented
              label="Lines"
              value={lines}
              options={LINES.map((value) => ({ value, label: value === "raw" ? "Raw" : "Raw + smooth" }))}
              onChange={setLines}
            />
          )}
          <button type="button" className="btn sm" aria-pressed={table} onClick={() => setTable(!table)}>
            Table
          </button>
          {zoom && (
            <button type="button" className="btn sm" onClick={() => setZoom(undefined)}>
              Whole run
            </button>
          )}
        </div>
      </div>
      {narrow && <EventList events={end.events} t={t} onSeek={onSeek} />}
      <div className="lanebox" ref={ref}>
        {!narrow && <EventLane frame={frame} events={end.events} />}
        <Surface
          frame={frame}
          run={run}
          t={t}
          onSeek={onSeek}
          setView={setView}
          zoomBy={zoomBy}
          reset={() => setZoom(undefined)}
        >
          <EventLines
            frame={frame}
            events={end.events}
            height={run.steps.length === 0 ? LANES_HEIGHT - LOSS_HEIGHT + 36 : LANES_HEIGHT}
          />
          <LeaseLane frame={frame} still={still} pieces={pieces} run={run} />
          {run.steps.length === 0 ? (
            <p className="noloss">No losses to draw: they aren’t on chain, and nobody has told any.</p>
          ) : (
            <div className="losslane">
              {!narrow && (
                <p className="lanelabel">
                  Loss<span>self-reported</span>
                </p>
              )}
              <LossChart run={run} state={end} frame={frame} smooth={lines === "raw + smooth"} />
              <Pan frame={frame} still={still} height={LOSS_HEIGHT} pad={6}>
                <LossMarks frame={still} run={run} end={end} />
              </Pan>
            </div>
          )}
          <CheckpointLane frame={frame} still={still} state={end} run={run} />
          <AxisLane frame={frame} />
        </Surface>
      </div>
      <BoardLegend run={run} end={end} />
      {table && <StepTable run={run} end={end} t={t} onSeek={onSeek} />}
    </section>
  );
}

const LANES_HEIGHT = 56 + LOSS_HEIGHT + 92;

/** Cursor, drag to zoom, keys. One focus stop that reads like a slider. */
function Surface(props: {
  frame: Frame;
  run: RunData;
  t: number;
  onSeek: (t: number) => void;
  setView: (view: View) => void;
  zoomBy: (factor: number) => void;
  reset: () => void;
  children: React.ReactNode;
}) {
  const { frame, run, t, onSeek, setView, zoomBy, reset } = props;
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | undefined>();
  const px = (event: PointerEvent) => event.clientX - (box.current?.getBoundingClientRect().left ?? 0);
  const seekTo = (value: number) => {
    onSeek(frame.mode === "time" ? Math.min(Math.max(0, value), run.duration) : timeOfStep(run, Math.round(value), t));
  };
  const cursorX = Math.min(Math.max(frame.xt(t), frame.left), frame.width - frame.right);
  const hidden = frame.xt(t) < frame.left - 1 || frame.xt(t) > frame.width - frame.right + 1;
  const end = (event: PointerEvent) => {
    if (!drag) return;
    setDrag(undefined);
    const [a, b] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    if (b - a < 6) seekTo(frame.value(px(event)));
    else setView([frame.value(a), frame.value(b)]);
  };
  return (
    <div
      ref={box}
      className="surface"
      role="slider"
      tabIndex={0}
      aria-label="Cursor. Arrow keys move it, plus and minus zoom"
      aria-valuemin={0}
      aria-valuemax={Math.round(run.duration / 1000)}
      aria-valuenow={Math.round(t / 1000)}
      aria-valuetext={cursorText(run, t)}
      onKeyDown={(event) => onKey(event, props, zoomBy, reset)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: px(event), to: px(event) });
      }}
      onPointerMove={(event) => drag && setDrag({ ...drag, to: px(event) })}
      onPointerUp={end}
      onPointerCancel={() => setDrag(undefined)}
      onDoubleClick={reset}
      onWheel={(event) => {
        if (event.deltaX === 0 || Math.abs(event.deltaX) < Math.abs(event.deltaY)) return;
        const by = frame.value(event.deltaX) - frame.value(0);
        setView([frame.view[0] + by, frame.view[1] + by]);
      }}
    >
      {props.children}
      <div className="after" style={{ left: cursorX, right: frame.right - 1 }} />
      {!hidden && <Cursor frame={frame} run={run} t={t} x={cursorX} />}
      {drag && Math.abs(drag.to - drag.from) > 5 && (
        <div className="dragbox" style={{ left: Math.min(drag.from, drag.to), width: Math.abs(drag.to - drag.from) }} />
      )}
    </div>
  );
}

function onKey(
  event: KeyboardEvent,
  { run, t, onSeek }: { run: RunData; t: number; onSeek: (t: number) => void },
  zoomBy: (factor: number) => void,
  reset: () => void,
) {
  const i = lastStepAt(run.steps, t);
  const by = event.shiftKey ? 10 : 1;
  const go = (index: number) => onSeek(run.steps.t[Math.min(Math.max(0, index), run.steps.length - 1)] ?? t);
  const actions = new Map<string, () => void>([
    ["ArrowRight", () => go(i + by)],
    ["ArrowLeft", () => go(i - by)],
    ["PageUp", () => go(i + 50)],
    ["PageDown", () => go(i - 50)],
    ["Home", () => onSeek(0)],
    ["End", () => onSeek(run.duration)],
    ["+", () => zoomBy(0.5)],
    ["=", () => zoomBy(0.5)],
    ["-", () => zoomBy(2)],
    ["Escape", reset],
  ]);
  const action = actions.get(event.key);
  if (!action || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

/** "step 262, 2:36.0, loss 0.3745, smoothed 0.4182, C": what the cursor stands on. */
export function cursorText(run: RunData, t: number): string {
  const at = reading(run, t);
  if (!at) return `${clock(t, true)}, before the first step`;
  return `step ${count(at.step)}, ${clock(t, true)}, loss ${loss(at.loss)}, smoothed ${loss(at.smooth)}`;
}

function reading({ steps }: RunData, t: number) {
  const i = lastStepAt(steps, t);
  if (i < 0) return undefined;
  return { step: steps.step[i] as number, loss: steps.loss[i] as number, smooth: steps.smooth[i] as number };
}

function Cursor({ frame, run, t, x }: { frame: Frame; run: RunData; t: number; x: number }) {
  const at = reading(run, t);
  const left = x > frame.width - 150;
  return (
    <>
      <div className="cursorline" style={{ left: x }} />
      {run.steps.length > 0 && (
        <div className={left ? "tip left" : "tip"} style={{ left: x }} aria-hidden="true">
          <span>
            {at ? `step ${count(at.step)} · ` : ""}
            {clock(t, true)}
          </span>
          {at && (
            <>
              <b>{loss(at.loss)} raw</b>
              <span>{loss(at.smooth)} smooth</span>
            </>
          )}
        </div>
      )}
    </>
  );
}
