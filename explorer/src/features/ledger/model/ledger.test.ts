import { expect, test } from "vitest";
import { makeRecording } from "../../../testing/makeRecording.ts";
import { filterJournal, journal } from "./journal.ts";
import { rebuild, totals } from "./rebuild.ts";

const events = makeRecording()
  .timeline.filter((e) => e.kind === "event")
  .map((e) => ({ ...e, timestamp: e.timestamp }));

test("the books rebuilt from events hold exactly what came in and did not go out", () => {
  const t = totals(rebuild(events));
  expect(t).toEqual({ locked: 0n, claimable: 5_000_000n, bonds: 0n, owed: 5_000_000n });
});

test("at every event no part is negative and the owed sum is budget plus bonds less withdrawals", () => {
  for (let n = 0; n <= events.length; n++) {
    const books = rebuild(events.slice(0, n));
    for (const value of books.locked.values()) expect(value >= 0n).toBe(true);
    expect(totals(books).owed).toBe(n === 0 ? 0n : 5_000_000n);
  }
});

test("slashes, returns and withdrawals move between the books as the contract says", () => {
  const event = (name: string, args: Record<string, string | number | boolean>) => ({
    contract: "Escrow",
    name,
    args,
    block: 1,
    timestamp: 1,
    tx: "0x",
    logIndex: 0,
  });
  const books = rebuild([
    event("BondDeposited", { account: "0xA", payer: "0xA", amount: "100" }),
    event("BondReserved", { account: "0xA", kind: 0, id: "1", amount: "60" }),
    event("BondSlashed", { account: "0xA", to: "0xB", kind: 0, id: "1", amount: "30", reserved: true }),
    event("BondReleased", { account: "0xA", id: "1", amount: "30" }),
    event("BondReturned", { account: "0xA", to: "0xA", amount: "70" }),
    event("Withdrawn", { account: "0xb", to: "0xb", amount: "30" }),
  ]);
  expect(books.accounts.get("0xa")).toEqual({ claimable: 70n, bond: 0n, reserved: 0n });
  expect(books.accounts.get("0xb")).toEqual({ claimable: 0n, bond: 0n, reserved: 0n });
  expect(totals(books).owed).toBe(70n);
});

test("the journal says what moved, whose, and why nothing did", () => {
  const rows = journal(events);
  expect(rows[0]).toMatchObject({ what: "Locked", amount: 5_000_000n, sign: "+" });
  const refused = rows.find((r) => r.what === "Refused");
  expect(refused).toMatchObject({ why: "steps 151–200, nothing owed", amount: 0n, bad: true, job: "1" });
  const credited = rows.filter((r) => r.kind === "paid").reduce((sum, r) => sum + r.amount, 0n);
  expect(credited).toBe(5_000_000n);
});

test("filters narrow by kind, job and account", () => {
  const rows = journal(events);
  const none = () => undefined;
  expect(filterJournal(rows, { kind: "refused", jobs: [], account: "" }, none)).toHaveLength(1);
  expect(filterJournal(rows, { kind: "all", jobs: ["2"], account: "" }, none)).toHaveLength(0);
  const who = rows[0]?.account ?? "";
  expect(filterJournal(rows, { kind: "all", jobs: [], account: who }, none).every((r) => r.account === who)).toBe(true);
  expect(filterJournal(rows, { kind: "all", jobs: [], account: "night" }, () => "night shift")).toHaveLength(
    rows.length,
  );
});
