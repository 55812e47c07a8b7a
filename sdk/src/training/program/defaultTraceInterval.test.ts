import { expect, it } from "vitest";
import type { ModelDescription } from "../../records/index.ts";
import { defaultTraceInterval } from "./defaultTraceInterval.ts";

const encoder = (layers: number, width: number, vocabulary: number): ModelDescription => ({
  ...{ architecture: "encoder", layers, width, heads: 2, feedForward: 4 * width },
  ...{ vocabulary, sequence: 64, classes: 2 },
});
const SMALL = encoder(2, 128, 4096);
const DISTILBERT = encoder(6, 768, 30_522);

it.each<[string, ModelDescription, number, number]>([
  ["the demo", SMALL, 50, 5],
  ["800 MB of state", DISTILBERT, 50, 50],
  ["800 MB and longer intervals", DISTILBERT, 400, 50],
  ["half of that", encoder(3, 768, 15_000), 100, 25],
  ["an interval that 5 does not divide", SMALL, 48, 6],
  ["a prime interval", SMALL, 53, 5],
  ["a short interval", SMALL, 3, 3],
  ["a large state under short intervals", DISTILBERT, 20, 20],
])("%s", (_, model, interval, expected) => {
  expect(defaultTraceInterval(model, interval)).toBe(expected);
});
