// What the arbiter's rulings do to what is owed, told in the ledger's and the runs' words.
import { expect, test } from "vitest";
import type { ChainEvent } from "../../../chain/chainEvent.ts";
import { jobRows } from "../../runs/jobRows.ts";
import { journal } from "./journal.ts";
import { openClaims } from "./openClaims.ts";

let logIndex = 0;
const event = (name: string, args: ChainEvent["args"]): ChainEvent => ({
  ...{ contract: "Jobs", name, args, block: 1, timestamp: 1, tx: "0x", logIndex: logIndex++ },
});
const id = (index: number) => String((1n << 32n) | BigInt(index));
const accepted = (index: number) => [
  event("CheckpointCommitted", {
    ...{ checkpointId: id(index), parentId: id(index - 1), jobId: "1", fence: 1, step: 50 * index },
  }),
  event("CheckpointAccepted", { checkpointId: id(index), jobId: "1", provider: "0xa", step: 50 * index, pay: "50" }),
];
const terms = { totalSteps: 100, budget: "500", maxPricePerStep: "1" };
const base = [
  event("ProviderRegistered", { provider: "0xa", payout: "0xold" }),
  event("JobPosted", { jobId: "1", client: "0xc", terms }),
  event("LeaseAcquired", { jobId: "1", fence: 1, provider: "0xa" }),
  ...accepted(1),
  ...accepted(2),
];
const contested = [...base, event("ChainContested", { jobId: "1", fromId: id(2), drainUntil: 9 })];
const cut = [...contested, event("ChainCut", { jobId: "1", fromId: id(2), headId: id(1) })];
const upheld = [...contested, event("ChainUpheld", { jobId: "1", fromId: id(2), throughId: id(2), newDeadline: 9 })];

test("what is disputed is owed until the ruling; what is cut never is", () => {
  const waiting = "50 steps waiting for its dispute window to end";
  expect(openClaims(contested, "0xa")).toMatchObject({
    owed: 100n,
    reasons: [waiting, "50 steps disputed: waiting for the arbiter"],
  });
  expect(openClaims(upheld, "0xa")).toMatchObject({
    owed: 100n,
    reasons: ["100 steps waiting for its dispute window to end"],
  });
  expect(openClaims(cut, "0xa")).toMatchObject({ owed: 50n, reasons: [waiting, "50 steps cut by the arbiter"] });
});

test("a wallet is owed for the work of who names it now, earlier work too; one that was named before, no longer", () => {
  const moved = [...base, event("PayoutChanged", { provider: "0xa", payout: "0xnew" })];
  expect(["0xnew", "0xold", "0xa"].map((account) => openClaims(moved, account).owed)).toEqual([100n, 0n, 100n]);
});

test("a run that was cut ends where its model does", () => {
  expect(jobRows(contested)[0]).toMatchObject({ accepted: 100 });
  expect(jobRows(cut)[0]).toMatchObject({ accepted: 50, status: "closing" });
});

test("the journal says who ruled what", () => {
  const last = (events: readonly ChainEvent[]) => journal(events).at(-1);
  expect(last(contested)).toMatchObject({
    what: "Disputed",
    account: "0xa",
    why: expect.stringMatching("from step 51 on"),
  });
  expect(last(cut)).toMatchObject({ what: "Cut", bad: true });
  expect(last(upheld)).toMatchObject({ what: "Upheld", bad: false });
  const refused = event("CheckpointRefused", { checkpointId: id(2), jobId: "1", provider: "0xa" });
  const overturned = [...base, refused, event("RefusalOverturned", { checkpointId: id(2), jobId: "1" })];
  expect(last(overturned)).toMatchObject({ what: "Overturned", account: "0xa", bad: false });
});
