// The same random stories through the contracts and through an independent model of the money rules: every balance, after every call.
import { afterAll, beforeAll, expect, test } from "vitest";
import { moves } from "./differential/moves.ts";
import { type Protocol, startProtocol } from "./differential/protocol.ts";
import { type Told, tellStory } from "./differential/story.ts";

/** Three stories in which every function succeeds at least once. More: DIFFERENTIAL_STORIES. One alone: DIFFERENTIAL_SEED. */
const USUAL = [3, 4, 8];
const STORIES = process.env.DIFFERENTIAL_STORIES;
const LENGTH = Number(process.env.DIFFERENTIAL_LENGTH ?? 120);
const ONE = process.env.DIFFERENTIAL_SEED;

let protocols: Protocol[];
beforeAll(() => {
  protocols = [];
});
afterAll(async () => {
  await Promise.all(protocols.map((protocol) => protocol.stop()));
});

test("contracts and model agree on every balance of every story, and both pay everybody out", async () => {
  const many = Array.from({ length: Number(STORIES ?? 0) }, (_, i) => i + 1);
  const seeds = ONE !== undefined ? [Number(ONE)] : STORIES !== undefined ? many : USUAL;
  const done: Told["done"] = new Map();
  for (const seed of seeds) {
    const protocol = await startProtocol();
    protocols.push(protocol);
    const told = await tellStory(protocol, seed, LENGTH);
    await protocol.stop();
    for (const [name, { succeeded, refused }] of told.done) {
      const sum = done.get(name) ?? { succeeded: 0, refused: 0 };
      done.set(name, { succeeded: sum.succeeded + succeeded, refused: sum.refused + refused });
    }
  }
  const rows = [...done].map(([name, { succeeded, refused }]) => `${name.padEnd(20)}${succeeded}\t${refused}`);
  console.log(`${seeds.length} stories; call, done, refused by both\n${rows.sort().join("\n")}`);
  if (ONE !== undefined) return;
  // A story that never did a thing proves nothing about it.
  expect(moves.length).toBeGreaterThan(20);
  const never = [...done].filter(([, { succeeded }]) => succeeded === 0).map(([name]) => name);
  expect(never).toEqual([]);
}, 3_600_000);
