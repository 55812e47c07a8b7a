import { median } from "./lib/table.ts";

/** Median and worst of times in ms, as seconds. */
export function medianAndWorst(values: readonly number[]): string {
  const s = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  return `median ${s(median(values))}, worst ${s(Math.max(...values))} (${values.length})`;
}
