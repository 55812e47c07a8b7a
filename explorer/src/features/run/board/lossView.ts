import type uPlot from "uplot";
import type { LossData } from "./lossData.ts";

type Value = number | null | undefined;

/** Up to this many rows a pixel the steps are drawn as they are. */
const EXACT_ROWS_PER_PIXEL = 2;

/**
 * What a chart `pixels` wide shows of the lines between two values of its axis. Where several steps share a pixel only their
 * least and greatest loss are kept, in the order they came, and the last smoothed one: the picture is the same, and panning over
 * 100,000 steps costs what a screen costs. Buckets lie on a fixed grid, so that the line doesn't shimmer while it moves.
 *
 * In the columns `null` breaks a line; `undefined` means nothing was there to draw.
 */
export function lossView(data: LossData, from: number, to: number, pixels: number): uPlot.AlignedData {
  const { x } = data;
  // One row more on each side, so that lines run to the edges.
  const first = Math.max(0, lowerBound(x, from) - 1);
  const end = Math.min(x.length, lowerBound(x, to) + 2);
  const width = Math.max(1, pixels);
  if (end - first <= width * EXACT_ROWS_PER_PIXEL) return exact(data, first, end);
  return buckets(data, first, end, (to - from) / width);
}

function exact({ x, series }: LossData, first: number, end: number): uPlot.AlignedData {
  const column = (values: Float64Array): Value[] => {
    const out: Value[] = new Array(end - first);
    for (let i = first; i < end; i++) {
      const value = values[i] as number;
      out[i - first] = Number.isNaN(value) ? null : value;
    }
    return out;
  };
  return [Array.from(x.subarray(first, end)), ...series.flatMap((s) => [column(s.raw), column(s.smooth)])];
}

function buckets({ x, series }: LossData, first: number, end: number, size: number): uPlot.AlignedData {
  // Row ranges of the buckets that hold any row; two points are drawn in each.
  const starts: number[] = [];
  const axis: number[] = [];
  let current = Number.NaN;
  for (let i = first; i < end; i++) {
    const bucket = Math.floor((x[i] as number) / size);
    if (bucket === current) continue;
    current = bucket;
    starts.push(i);
    axis.push((bucket + 0.25) * size, (bucket + 0.75) * size);
  }
  starts.push(end);
  const columns = series.flatMap(({ raw, smooth }) => {
    const rawOut: Value[] = new Array(axis.length);
    const smoothOut: Value[] = new Array(axis.length);
    for (let b = 0; b + 1 < starts.length; b++) {
      let [low, high, last] = [-1, -1, -1];
      for (let i = starts[b] as number; i < (starts[b + 1] as number); i++) {
        const value = raw[i] as number;
        if (Number.isNaN(value)) continue;
        if (low < 0 || value < (raw[low] as number)) low = i;
        if (high < 0 || value > (raw[high] as number)) high = i;
        last = i;
      }
      const [one, other] = low < high ? [low, high] : [high, low];
      rawOut[2 * b] = last < 0 ? null : (raw[one] as number);
      rawOut[2 * b + 1] = last < 0 ? null : (raw[other] as number);
      smoothOut[2 * b] = last < 0 ? null : (smooth[last] as number);
      smoothOut[2 * b + 1] = last < 0 ? null : undefined;
    }
    return [rawOut, smoothOut];
  });
  return [axis, ...columns];
}

/** Index of the first value at or above `wanted`. */
function lowerBound(values: Float64Array, wanted: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
