import { TrainingError } from "../errors.ts";
import type { Program } from "../program/createProgram.ts";
import type { TrainingState } from "./state.ts";

/**
 * Checks that every number of a state is finite.
 *
 * @throws TrainingError `NOT_FINITE`, naming the vector and tensor
 */
export function assertFinite({ layout }: Program, state: TrainingState): void {
  for (const vector of ["params", "m", "v"] as const) {
    const values = state[vector];
    for (let i = 0; i < values.length; i++) {
      // x − x is 0 for every finite x and NaN for the rest.
      const value = values[i] as number;
      if (value - value === 0) continue;
      const entry = layout.entries.find(({ offset, size }) => i < offset + size);
      throw new TrainingError("NOT_FINITE", `${vector} of ${entry?.name} holds ${value} at step ${state.step}.`);
    }
  }
}
