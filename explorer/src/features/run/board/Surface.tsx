import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { count, loss } from "../../../format/number.ts";
import { clock } from "../../../format/time.ts";
import type { RunData } from "../model/recordedRun.ts";
import { lastStepAt } from "../model/steps.ts";
import { type Frame, timeOfStep, type View } from "./axis.ts";

/** Cursor, drag to zoom, keys. One focus stop that reads like a slider. */
export function Surface(props: {
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
