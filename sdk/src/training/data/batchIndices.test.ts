import { describe, expect, it } from "vitest";
import { batchIndices } from "./batchIndices.ts";

describe("batchIndices", () => {
  it("is a pure function of its arguments, in whatever order it is asked", () => {
    const steps = [0, 1, 2, 50, 51, 3, 50];
    const asked = steps.map((step) => batchIndices(5, step, 100, 32));
    expect(steps.toReversed().map((step) => batchIndices(5, step, 100, 32))).toEqual(asked.toReversed());
    expect(batchIndices(6, 0, 100, 32)).not.toEqual(asked[0]);
  });

  it("takes every example once an epoch, whether or not the batch divides it", () => {
    const [examples, batch] = [100, 32];
    const taken = Array.from({ length: 25 }, (_, step) => [...batchIndices(3, step, examples, batch)]).flat();
    for (let epoch = 0; epoch < 8; epoch++)
      expect(new Set(taken.slice(epoch * examples, (epoch + 1) * examples)).size).toBe(examples);
    expect(taken.slice(0, examples)).not.toEqual(taken.slice(examples, 2 * examples));
  });

  it("repeats examples when a batch is larger than the set", () => {
    const counts = new Map<number, number>();
    for (const index of batchIndices(1, 0, 5, 20)) counts.set(index, (counts.get(index) ?? 0) + 1);
    expect([...counts.values()]).toEqual([4, 4, 4, 4, 4]);
  });
});
