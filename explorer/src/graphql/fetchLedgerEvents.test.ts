// A ledger may send anything: whatever it does, reading it ends, and what is no journal is refused.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { fetchLedgerEvents } from "./fetchLedgerEvents.ts";

const row = (seq: number, more: object = {}) => ({
  ...{ seq, block: 10 + seq, timestamp: 1_796_000_000 + seq, txHash: `0x${"a".repeat(64)}`, logIndex: 0 },
  ...{ contract: "jobs", name: "LeaseRenewed", args: { jobId: "1" }, ...more },
});
const page = (from: number, length = 1000) => Array.from({ length }, (_, i) => row(from + i + 1));

let close: () => void = () => undefined;
afterEach(() => close());

/** A ledger that answers each question with what `items` makes of it. */
async function ledger(items: (after: number, asked: number) => unknown): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      const { after } = (JSON.parse(body) as { variables: { after: number } }).variables;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data: { journals: items(after, ++asked) } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

test("pages are read to the last, which is the first that isn't full", async () => {
  const { url, asked } = await ledger((after) => ({
    items: after < 2_000 ? page(Math.max(0, after)) : page(after, 7),
  }));
  const events = await fetchLedgerEvents(url, -1);
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 2_007 }, (_, i) => i + 1));
  expect(events[0]).toMatchObject({ contract: "Jobs", name: "LeaseRenewed", block: 11 });
  expect(asked()).toBe(3);
});

test("an empty page ends it, whatever it says of more to come", async () => {
  const { url, asked } = await ledger((after) => {
    const items = after < 0 ? page(0) : [];
    return { items, totalCount: 1e9, pageInfo: { hasNextPage: true, endCursor: "x" } };
  });
  expect(await fetchLedgerEvents(url, -1)).toHaveLength(1_000);
  expect(asked()).toBe(2);
});

test.each([
  ["the same page again and again", () => page(0)],
  ["rows that count on and say the same event", (after: number) => page(after).map((r) => ({ ...r, block: 10 }))],
  ["rows that go back on the chain", (after: number) => page(after).map((r) => ({ ...r, block: 9_999_999 - r.seq }))],
])("pages that lead nowhere are left after two at most: %s", async (_, items) => {
  const { url, asked } = await ledger((after) => ({ items: items(Math.max(0, after)) }));
  await expect(fetchLedgerEvents(url, -1)).rejects.toThrow("The ledger’s pages lead nowhere.");
  expect(asked()).toBeLessThanOrEqual(2);
});

test("pages that go on without end are left at the most a page can hold", async () => {
  const { url, asked } = await ledger((after) => ({ items: page(Math.max(0, after)) }));
  await expect(fetchLedgerEvents(url, -1, 3_000)).rejects.toThrow(
    "The ledger’s pages don’t end: 3000 events and more.",
  );
  expect(asked()).toBe(3);
});

const LARGE = { amount: String(2n ** 256n - 1n) };

test.each<[string, unknown]>([
  ["no list", { items: 5 }],
  ["nothing", null],
  ["rows that are none", { items: [null] }],
  ["a block that is none", { items: [row(1, { block: "<b>" })] }],
  ["a time that no calendar has", { items: [row(1, { timestamp: 1e300 })] }],
  ["a name without end", { items: [row(1, { name: "x".repeat(1_000) })] }],
])("what is no journal is refused: %s", async (_, journals) => {
  const { url } = await ledger(() => journals);
  await expect(fetchLedgerEvents(url, -1)).rejects.toThrow("What the ledger sends is no journal.");
});

test("arguments may be text, may be as large as a uint256, and are none where they can't be read", async () => {
  const { url } = await ledger(() => ({
    items: [
      row(1, { args: JSON.stringify(LARGE) }),
      row(2, { args: LARGE }),
      row(3, { args: "{" }),
      row(4, { args: 7 }),
    ],
  }));
  const events = await fetchLedgerEvents(url, -1);
  expect(events.map(({ args }) => args)).toEqual([LARGE, LARGE, {}, {}]);
});
