import { elements } from "../graph/primitives.ts";
import type { Parameter } from "./architecture.ts";

/** Where a tensor lies in the flat vector: elements, not bytes. */
export interface LayoutEntry extends Parameter {
  readonly offset: number;
  readonly size: number;
}

export interface Layout {
  readonly entries: readonly LayoutEntry[];
  /** elements of the flat vector */
  readonly size: number;
}

/** Lays tensors out one after another. */
export function layoutOf(parameters: readonly Parameter[]): Layout {
  let offset = 0;
  const entries = parameters.map((parameter) => {
    const entry = { ...parameter, offset, size: elements(parameter.shape) };
    offset += entry.size;
    return entry;
  });
  return { entries, size: offset };
}

/** The part of a flat vector that holds one tensor; a view, not a copy. */
export const tensorView = (flat: Float32Array, { offset, size }: LayoutEntry): Float32Array =>
  flat.subarray(offset, offset + size);
