import { expect, test } from "vitest";
import { isGate, isLog, isPulse, isReceipt, isStep, only } from "./told.ts";

const A = `0x${"a".repeat(40)}`;
const step = { fence: 1, step: 7, loss: 0.5, ms: 20, at: 1_796_000_000_000 };
const log = { id: 3, fence: 1, at: step.at, level: "info", message: "hello" };
const pulse = { address: A, connected: true, silentMs: 0 };
const receipt = {
  ...{ fence: 1, nextFence: 2, from: A, to: A, cause: "evicted", verifier: A, resumedFrom: 50 },
  ...{ silentAt: step.at, signedAt: null, endedAt: step.at, firstStepAt: step.at },
  ...{ endedToAcquiredMs: 5, acquiredToFirstStepMs: 5, lastStep: null, stepsLost: 3 },
};
const gate = {
  ...{ gate: "replay", ok: false, reason: "it doesn't replay", fromStep: 1, toStep: 6, distanceParams: 6.1 },
  ...{ distanceMoment: null, accuracy: null, balancedAccuracy: null, nll: null },
};

const KINDS = [
  ["steps", isStep, step],
  ["log lines", isLog, log],
  ["pulses", isPulse, pulse],
  ["receipts", isReceipt, receipt],
  ["gates", isGate, gate],
] as const;

test.each(KINDS)("%s that are as they should be are kept", (_, is, good) => {
  expect(only<unknown>(is as never, [good, null, 5, "x", [], {}])).toEqual([good]);
  expect(only<unknown>(is as never, { length: 1, 0: good })).toEqual([]);
});

const GARBAGE = [undefined, {}, [], Number.NaN, Number.POSITIVE_INFINITY, "<img src=x>".repeat(500), 1e300];

test.each(KINDS)("%s with garbage in any field are dropped", (_, is, good) => {
  const optional = new Set(["signedAt", "lastStep", "stepsLost", "fromStep", "toStep", "accuracy", "nll"]);
  for (const field of ["distanceParams", "distanceMoment", "balancedAccuracy"]) optional.add(field);
  for (const field of Object.keys(good)) {
    for (const value of GARBAGE) {
      // Nothing is a fair answer for some, and a number may be as large as it likes where it is only written down.
      if (value === undefined && optional.has(field)) continue;
      if (value === 1e300 && /^(loss|ms|distance|accuracy|balancedAccuracy|nll)/.test(field)) continue;
      expect(is({ ...good, [field]: value }), `${field}: ${String(value).slice(0, 20)}`).toBe(false);
    }
  }
});
