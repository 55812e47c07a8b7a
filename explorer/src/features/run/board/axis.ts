import type { RunData } from "../model/recordedRun.ts";
import { lastStepAt } from "../model/steps.ts";

export type Mode = "time" | "step";

/** The part of the axis in view: ms into the run, or steps. */
export type View = readonly [number, number];

/** Everything that the lanes share: one axis, one width, one cursor. */
export interface Frame {
  readonly mode: Mode;
  readonly width: number;
  readonly left: number;
  readonly right: number;
  readonly view: View;
  /** axis value to pixel */
  readonly x: (value: number) => number;
  /** pixel to axis value */
  readonly value: (px: number) => number;
  /** a moment's pixel, in either mode */
  readonly xt: (t: number) => number;
  /** pixels drawn beyond each edge, so that the drawing can be moved sideways without drawing it anew */
  readonly beyond: number;
}

export function makeFrame(run: RunData, mode: Mode, width: number, view: View, narrow: boolean): Frame {
  const left = narrow ? 34 : 104;
  const right = narrow ? 6 : 16;
  const inner = Math.max(1, width - left - right);
  const span = Math.max(1e-9, view[1] - view[0]);
  const x = (value: number) => left + ((value - view[0]) / span) * inner;
  const value = (px: number) => view[0] + ((px - left) / inner) * span;
  const xt = mode === "time" ? x : (t: number) => x(stepAt(run, t));
  return { mode, width, left, right, view, x, value, xt, beyond: 0 };
}

/**
 * The frame that stands still while a view of the same width moves over it: what is drawn in it is moved, not drawn again, until
 * the view is half a width away from its anchor. It reaches one width beyond each edge, so that it always covers the view.
 *
 * @param phase 0 to 1: lanes with different phases reach their half widths at different moments, and are not all drawn anew in one frame
 */
export function stillFrame(
  run: RunData,
  frame: Frame,
  whole: View,
  narrow: boolean,
  phase: number,
): { anchor: View; make: () => Frame } {
  const span = Math.round((frame.view[1] - frame.view[0]) * 1e3) / 1e3;
  const zoomed = span < whole[1] - whole[0] - 1e-3;
  const from = zoomed ? (Math.round(frame.view[0] / span - phase) + phase) * span : whole[0];
  const anchor: View = [from, from + span];
  return {
    anchor,
    make: () => ({
      ...makeFrame(run, frame.mode, frame.width, anchor, narrow),
      beyond: zoomed ? frame.width - frame.left - frame.right : 0,
    }),
  };
}

/** Where the whole run lies on the axis. */
export function fullView(run: RunData, mode: Mode): View {
  return mode === "time" ? [0, Math.max(1000, run.duration)] : [0, Math.max(1, run.meta.steps)];
}

/** The step being trained at a moment; 0 before the first. */
export function stepAt(run: RunData, t: number): number {
  return run.steps.step[lastStepAt(run.steps, t)] ?? 0;
}

/** The first moment at which a step was trained in the run's accepted order, for going from a step to a time. */
export function timeOfStep(run: RunData, step: number, near: number): number {
  let best = -1;
  let distance = Number.POSITIVE_INFINITY;
  for (let i = 0; i < run.steps.length; i++) {
    const off = Math.abs((run.steps.step[i] as number) - step) * 1e6 + Math.abs((run.steps.t[i] as number) - near);
    if (off < distance) {
      distance = off;
      best = i;
    }
  }
  return best < 0 ? near : (run.steps.t[best] as number);
}

/** Keeps a view inside the whole, at least `least` wide. */
export function clampView([from, to]: View, [low, high]: View, least: number): View {
  const span = Math.min(high - low, Math.max(least, to - from));
  const start = Math.min(Math.max(low, from), high - span);
  return [start, start + span];
}

/** Round numbers for ticks, about one per `every` pixels. */
export function ticks(frame: Frame, every = 90): number[] {
  const [from, to] = frame.view;
  const wanted = Math.max(2, Math.floor((frame.width - frame.left - frame.right) / every));
  const raw = (to - from) / wanted;
  const choices = frame.mode === "time" ? TIME_STEPS : STEP_STEPS;
  const size =
    choices.find((c) => c >= raw) ?? (choices.at(-1) as number) * Math.ceil(raw / (choices.at(-1) as number));
  const first = Math.ceil(from / size) * size;
  return Array.from({ length: Math.floor((to - first) / size + 1e-9) + 1 }, (_, i) => first + i * size);
}

const TIME_STEPS = [
  100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 216e5, 864e5,
];
const STEP_STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6];
