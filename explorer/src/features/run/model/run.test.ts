import { parseRecording } from "@gpuchain/sdk/records";
import { describe, expect, test } from "vitest";
import { makeRecording } from "../../../testing/makeRecording.ts";
import { splitEscrow } from "./money.ts";
import { createPlayer } from "./player.ts";
import { recordedRun } from "./recordedRun.ts";
import { lastStepAt, leasePieces } from "./steps.ts";

const run = recordedRun(parseRecording(JSON.parse(JSON.stringify(makeRecording()))));
const at = (t: number) => createPlayer(run.meta).at(run.facts, t);
const end = at(run.duration);

describe("a recorded run", () => {
  test("ends with one accepted chain to the last step, one refusal and one eviction", () => {
    const accepted = end.checkpoints.filter((c) => c.status === "paid");
    expect(accepted.map((c) => c.step)).toEqual([50, 100, 150, 200, 250, 300, 350, 400]);
    expect(accepted.map((c) => c.from)).toEqual([0, 50, 100, 150, 200, 250, 300, 350]);
    expect(end.checkpoints.filter((c) => c.status === "refused").map((c) => c.step)).toEqual([200]);
    expect(end.leases.map((l) => l.end?.cause)).toEqual(["evicted", "refused", undefined]);
    expect(end.status).toBe("settled");
    expect(end.metTarget).toBe(true);
  });

  test("the budget's parts add up to it at every moment", () => {
    const player = createPlayer(run.meta);
    for (let t = 0; t <= run.duration; t += 250) {
      const state = player.at(run.facts, t);
      const m = splitEscrow(state, run.meta);
      expect(m.paid + m.owed + m.locked + m.refundable + m.refunded).toBe(state.money.budget);
      for (const part of Object.values(m)) expect(part >= 0n).toBe(true);
    }
  });

  test("what was credited by account is the budget, to the unit", () => {
    const total = [...end.money.byAccount.values()].reduce((a, b) => a + b, 0n);
    expect(total).toBe(5_000_000n);
    // A: 150 steps at 0.001; B: 250 at 0.003
    const of = (name: string) =>
      end.money.byAccount.get([...run.meta.parties.values()].find((p) => p.name === name)?.address ?? "");
    expect([of("A"), of("P"), of("B")]).toEqual([150_000n, undefined, 750_000n]);
  });

  test("scrubbing back gives the same state as arriving there for the first time", () => {
    const player = createPlayer(run.meta);
    player.at(run.facts, run.duration);
    const middle = player.at(run.facts, run.duration / 2);
    expect(middle).toEqual(at(run.duration / 2));
  });

  test("lease pieces cover each lease, and each has one fate", () => {
    const fates = leasePieces(end, run.duration, run.meta.steps).map((p) => [p.fence, p.fate]);
    expect(fates.filter(([fence]) => fence === 1)).toEqual([
      [1, "accepted"],
      [1, "accepted"],
      [1, "accepted"],
      [1, "lost"],
    ]);
    expect(fates.filter(([fence]) => fence === 2)).toEqual([
      [2, "refused"],
      // It trained on while its checkpoint was judged.
      [2, "lost"],
    ]);
    expect(fates.filter(([fence]) => fence === 3).every(([, fate]) => fate === "accepted")).toBe(true);
  });

  test("a step is found by time", () => {
    const { steps } = run;
    expect(lastStepAt(steps, -1)).toBe(-1);
    expect(lastStepAt(steps, run.duration)).toBe(steps.length - 1);
    const i = lastStepAt(steps, (steps.t[157] as number) + 0.5);
    expect(steps.step[i]).toBe(158);
  });

  test("recovery receipts name the hand-overs with their causes", () => {
    expect(end.receipts.map((r) => [r.cause, r.told])).toEqual([
      ["evicted", true],
      ["refused", true],
    ]);
  });

  test("badges that data proves are derived, the rest is the recorder's word", () => {
    expect(run.badges.map((b) => b.kind)).toEqual(["recorded", "localChain", "injectedFault", "synthetic"]);
    expect(run.badges[2]?.text).toBe("Injected fault: A, P");
  });
});
