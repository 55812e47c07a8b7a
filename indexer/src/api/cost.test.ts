import { parse } from "graphql";
import { expect, test } from "vitest";
import { queryCost } from "./cost.ts";

const cost = (query: string, variables: Record<string, unknown> = {}) =>
  queryCost({ document: parse(query), variables });

test("lists multiply what is inside them", () => {
  expect(cost("{ jobs(limit: 10) { items { id } } }").rows).toBe(10);
  expect(cost("{ jobs(limit: 10) { items { id leases(limit: 5) { items { fence } } } } }").rows).toBe(60);
  expect(cost("query ($n: Int) { jobs(limit: $n) { items { id } } }", { n: 7 }).rows).toBe(7);
});

test("a list without a limit counts as a whole page, a short list as what the protocol allows", () => {
  expect(cost("{ jobs { items { id } } }").rows).toBe(50);
  expect(cost("{ checkpoint(id: 1) { votes { items { score } } } }").rows).toBe(1 + 6);
});

test("fragments count where they are spread, and depth with them", () => {
  const query =
    "{ jobs(limit: 3) { items { ...parts } } } fragment parts on job { leases(limit: 2) { items { fence } } }";
  expect(cost(query)).toMatchObject({ rows: 3 + 6, depth: 5 });
});

test("aliases are counted, introspection costs no rows", () => {
  expect(cost("{ a: totals { items { id } } b: totals { items { id } } }").aliases).toBe(2);
  expect(cost("{ __schema { types { name } } }").rows).toBe(0);
});

test("a fragment that spreads itself ends", () => {
  expect(cost("{ ...a } fragment a on Query { totals { items { id } } ...a }").rows).toBe(50);
});
