import type { JobSpec } from "../../records/index.ts";
import { TrainingError } from "../errors.ts";
import { largestDivisor } from "./microBatch.ts";

interface Releasable {
  release(): Promise<void>;
}

/** What the process may hold, and how to see what it holds: the trainer itself looks at no process. */
export interface MemoryCap {
  readonly limitBytes: number;
  /** bytes that the process holds now */
  used(): number;
}

/** How units are tried out under a memory cap. */
export interface Measurement<S> {
  readonly memory: MemoryCap;
  /** one run at the given unit, as a step will do it */
  probe(session: S, unit: number): Promise<unknown>;
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
 * Under a memory cap a native job's unit is found by measurement: doubled from the smallest as long as what the runs so far took says
 * that the next one fits.
 *
 * @param cap most examples at once
 * @param measurement left out: the cap is tried first, and halved when memory runs out
 * @throws TrainingError `OUT_OF_MEMORY` when not even the smallest unit fits
 */
export async function createFitting<S extends Releasable>(
  spec: JobSpec,
  cap: number,
  compile: (unit: number) => Promise<S>,
  measurement?: Measurement<S>,
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

  /** The largest unit that fits by measurement, compiled. */
  const measured = async ({ memory, probe }: Measurement<S>): Promise<void> => {
    const base = memory.used();
    let fitting: number | undefined;
    unit = largestDivisor(batch, 2);
    for (;;) {
      let bytes: number;
      try {
        session = await compile(unit);
        // The second run lays its tensors out by what the first one needed, in memory of its own.
        for (let runs = 0; runs < 2; runs++) await probe(session, unit);
        bytes = memory.used();
      } catch (error) {
        halved(error);
        bytes = Number.POSITIVE_INFINITY;
      }
      if (bytes <= memory.limitBytes) {
        const next = largestDivisor(batch, Math.min(cap, 2 * unit));
        // As if all of it grew with the examples. Differences between two units would be nearer, but memory that the unit before left behind
        // and this one took over makes them too small.
        const perExample = (bytes - base) / unit;
        if (next <= unit || bytes + perExample * (next - unit) > memory.limitBytes) return;
        fitting = unit;
        await session?.release();
        session = undefined;
        unit = next;
        continue;
      }
      await session?.release();
      session = undefined;
      if (fitting === undefined)
        throw new TrainingError("OUT_OF_MEMORY", `Not even ${unit} examples at once fit under the memory limit.`);
      unit = fitting;
      await compiled();
      return;
    }
  };

  if (measurement && !fixed && cap > 2) await measured(measurement);
  else await compiled();
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
