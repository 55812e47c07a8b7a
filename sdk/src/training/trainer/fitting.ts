import type { JobSpec } from "../../records/index.ts";
import { TrainingError } from "../errors.ts";
import { largestDivisor } from "./microBatch.ts";

interface Releasable {
  release(): Promise<void>;
}

/** A graph compiled for as many examples as fit. */
export interface Fitting<S> {
  /** examples that run at once */
  readonly unit: number;
  /** Runs `work` with the compiled graph; when memory runs out it is compiled for half as many, and `work` starts again. */
  run<Result>(work: (session: S, unit: number) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Compiles for the largest unit that fits: whole grains in a canonical job, which refuses a device that cannot hold one; any divisor of
 * the batch in a native one.
 *
 * @param cap most examples at once
 * @throws TrainingError `OUT_OF_MEMORY` when not even the smallest unit fits
 */
export async function createFitting<S extends Releasable>(
  spec: JobSpec,
  cap: number,
  compile: (unit: number) => Promise<S>,
): Promise<Fitting<S>> {
  const { batch } = spec.training;
  const fixed = spec.class === "canonical";
  let unit = fixed ? spec.grain : largestDivisor(batch, cap);
  let session: S | undefined;

  /** The next smaller unit after an out-of-memory; anything else is thrown again. */
  const halved = (error: unknown): number => {
    if (!(error instanceof TrainingError) || !error.retryable || fixed) throw error;
    const smaller = largestDivisor(batch, Math.floor(unit / 2));
    if (smaller >= unit) throw error;
    return smaller;
  };

  const compiled = async (): Promise<S> => {
    while (session === undefined) {
      try {
        session = await compile(unit);
      } catch (error) {
        unit = halved(error);
      }
    }
    return session;
  };

  await compiled();
  return {
    get unit() {
      return unit;
    },
    async run(work) {
      for (;;) {
        const current = await compiled();
        try {
          return await work(current, unit);
        } catch (error) {
          unit = halved(error);
          session = undefined;
          await current.release();
        }
      }
    },
    close: async () => session?.release(),
  };
}
