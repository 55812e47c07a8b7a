import { GpuchainError } from "@gpuchain/sdk/daemon";
import { describe, expect, it } from "vitest";
import { createSetbacks, isJobsFault } from "./setbacks.ts";

describe("setbacks", () => {
  it("leave a job alone for a while after each failed try, and only that job", () => {
    let now = 0;
    const setbacks = createSetbacks(() => now);
    expect(setbacks.note(1n, new Error("no seat has it"))).toMatchObject({ until: 1_000, tries: 1 });
    expect(setbacks.of(1n)?.reason).toBe("no seat has it");
    expect(setbacks.of(2n)).toBeUndefined();
    now = 1_000;
    expect(setbacks.of(1n)).toBeUndefined();
    for (let tries = 2; tries < 10; tries++) expect(setbacks.note(1n, new Error("still"))).toMatchObject({ tries });
    expect(setbacks.note(1n, new Error("still"))).toMatchObject({ tries: 10, until: now + 10_000 });
  });

  it("rest a job for long that the training process failed on three times, and forget it once it is ready", () => {
    for (const code of ["OUT_OF_MEMORY", "RUNTIME_FAILED", "COMPUTE_FAILED", "COMPUTE_DIED"]) {
      const setbacks = createSetbacks(() => 0);
      const waits = [1, 2, 3].map(() => setbacks.note(1n, new GpuchainError(code, "too large")).until);
      expect([code, ...waits]).toEqual([code, 1_000, 1_000, 600_000]);
      setbacks.clear(1n);
      expect(setbacks.of(1n)).toBeUndefined();
      expect(setbacks.note(1n, new GpuchainError(code, "too large")).until).toBe(1_000);
    }
  });

  it("tell a job that can be trained nowhere from what may pass", () => {
    for (const code of ["JOB_UNFIT", "BAD_DATASET", "BAD_SPEC", "GRAPH_MISMATCH", "LAYOUT_MISMATCH", "NOT_FINITE"])
      expect([code, isJobsFault(new GpuchainError(code, "x"))]).toEqual([code, true]);
    for (const code of ["OUT_OF_MEMORY", "RUNTIME_UNAVAILABLE", "COMPUTE_DIED", "DISK_FULL", "BLOB_NOT_FOUND"])
      expect([code, isJobsFault(new GpuchainError(code, "x"))]).toEqual([code, false]);
    expect(isJobsFault(new Error("BAD_DATASET"))).toBe(false);
  });
});
