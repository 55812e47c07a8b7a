import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_SIM } from "./config.ts";
import { advance, begin, createSim, setCheating, setPower, whereTheMoneyIs } from "./simulate.ts";
import type { ProviderId, SimState } from "./types.ts";

const start = () => begin(createSim(DEFAULT_SIM));
const MINUTE = 60_000;

function sumOfParts(state: SimState): bigint {
  const m = whereTheMoneyIs(state);
  return m.paid.A + m.paid.B + m.paid.C + m.seats + m.fee + m.client + m.unchecked.A + m.unchecked.B + m.unchecked.C;
}

/** Runs until the condition holds, in small slices; fails when it never does. */
function until(state: SimState, condition: (s: SimState) => boolean): SimState {
  let now = state;
  for (let i = 0; i < 100_000; i++) {
    if (condition(now)) return now;
    now = advance(now, 10);
  }
  throw new Error("never happened");
}

test("undisturbed, the cheapest provider trains everything and every unit is accounted for", () => {
  const done = advance(start(), 10 * MINUTE);
  expect(done.phase).toBe("completed");
  expect(done.accepted.every((s) => s.provider === "A")).toBe(true);
  const m = whereTheMoneyIs(done);
  // 200 steps at 0.002, 8 % of that, 8 rounds of three fees of 0.002
  expect(m).toMatchObject({ paid: { A: 400_000n, B: 0n, C: 0n }, fee: 32_000n, seats: 48_000n, client: 520_000n });
  expect(m.client).toBe(done.refund);
});

test("the lease goes to the cheapest at the moment the ceiling reaches its price", () => {
  const before = advance(start(), 3_999);
  expect(before.lease).toBeUndefined();
  expect(advance(before, 1).lease).toMatchObject({ provider: "A", fence: 1 });
});

test("a plug pulled between checkpoints loses those steps, keeps the rest, and the next provider goes on from there", () => {
  const at60 = until(start(), (s) => s.lease?.step === 60);
  const gone = until(setPower(at60, "A", false), (s) => s.lease === undefined);
  expect(gone.discarded).toEqual([{ from: 50, to: 60, provider: "A", kind: "lost" }]);
  const moved = until(gone, (s) => s.lease !== undefined);
  expect(moved.lease).toMatchObject({ provider: "B", base: 50, fence: 2 });
  const done = advance(moved, 10 * MINUTE);
  expect(whereTheMoneyIs(done).paid).toEqual({ A: 100_000n, B: 375_000n, C: 0n });
});

test("back before two seats signed: nobody is evicted", () => {
  const at60 = until(start(), (s) => s.lease?.step === 60);
  const back = advance(setPower(advance(setPower(at60, "A", false), 650), "A", true), 5_000);
  expect(back.lease).toMatchObject({ provider: "A", fence: 1 });
  expect(back.discarded).toEqual([]);
});

test("junk is refused, barred and unpaid; the verifiers' round comes from the cheater's bond, not the budget", () => {
  const at30 = until(start(), (s) => s.lease?.step === 30);
  const refused = until(setCheating(at30, "A", true), (s) => s.providers.A.barredAt !== undefined);
  expect(refused.providers.A.barredAt).toBe(50);
  expect(refused.discarded[0]).toEqual({ from: 25, to: 50, provider: "A", kind: "refused" });
  expect(refused.seatsFromBonds).toBe(6_000n);
  const done = advance(refused, 10 * MINUTE);
  expect(done.phase).toBe("completed");
  expect(whereTheMoneyIs(done).paid.A).toBe(50_000n);
  expect(done.accepted.map((s) => s.provider)).toEqual(["A", ...Array(7).fill("B")]);
});

test("an honest provider that had built on junk loses those steps, keeps its lease and goes on from the head", () => {
  const at30 = until(start(), (s) => s.lease?.step === 30);
  const handedIn = until(setCheating(at30, "A", true), (s) => s.pending.some((p) => p.junk));
  const stopped = setPower(handedIn, "A", false);
  const building = until(
    { ...stopped, config: { ...stopped.config, verdictMs: 30_000 } },
    (s) => s.lease?.provider === "B" && s.lease.step === 53,
  );
  const after = until(building, (s) => s.providers.A.barredAt !== undefined);
  expect(after.lease).toMatchObject({ provider: "B", fence: 2, base: 25 });
  expect(after.discarded.some((d) => d.provider === "B" && d.kind === "lost")).toBe(true);
});

test("when nobody may work any more the client gets the rest back and no fee is taken", () => {
  let state = start();
  for (const id of ["A", "B", "C"] as const) state = setCheating(state, id, true);
  const done = advance(state, 10 * MINUTE);
  expect(done.phase).toBe("closed");
  expect(whereTheMoneyIs(done)).toMatchObject({ paid: { A: 0n, B: 0n, C: 0n }, fee: 0n, client: 1_000_000n });
});

test("with everybody unplugged the job waits, and a plug put back takes it up", () => {
  let state = until(start(), (s) => s.lease?.step === 10);
  for (const id of ["A", "B", "C"] as const) state = setPower(state, id, false);
  state = advance(state, MINUTE);
  expect(state).toMatchObject({ phase: "running", lease: undefined, head: 0 });
  expect(advance(setPower(state, "C", true), 1).lease).toMatchObject({ provider: "C", base: 0 });
});

const id = fc.constantFrom<ProviderId>("A", "B", "C");
const command = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 9_000 }).map((ms) => (s: SimState) => advance(s, ms)) },
  {
    weight: 2,
    arbitrary: fc.tuple(id, fc.boolean()).map(
      ([p, on]) =>
        (s: SimState) =>
          setPower(s, p, on),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(id, fc.boolean()).map(
      ([p, on]) =>
        (s: SimState) =>
          setCheating(s, p, on),
    ),
  },
);

test("whatever anyone does: the parts are the budget, the model is one chain, and no step is paid twice or unjudged", () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      let state = start();
      for (const run of commands) {
        state = run(state);
        expect(sumOfParts(state)).toBe(DEFAULT_SIM.budget);
        expect(whereTheMoneyIs(state).client >= 0n).toBe(true);
        let at = 0;
        for (const piece of [...state.accepted, ...state.pending]) {
          expect(piece.from).toBe(at);
          at = piece.to;
        }
        for (const p of DEFAULT_SIM.providers) {
          const accepted = state.accepted.filter((s) => s.provider === p.id).reduce((n, s) => n + s.to - s.from, 0);
          expect(state.providers[p.id].credited).toBe(BigInt(accepted) * p.price);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("time is time: one long stretch and many short ones end in the same state", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 200 }), (slices) => {
      const total = slices.reduce((a, b) => a + b, 0);
      const cut = slices.reduce((s, ms) => advance(s, ms), start());
      expect(cut).toEqual(advance(start(), total));
    }),
    { numRuns: 50 },
  );
});
