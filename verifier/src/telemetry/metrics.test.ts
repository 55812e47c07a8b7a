import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createMetrics } from "./metrics.ts";

it("every metric that the committed dashboard asks for is one that the verifier has", async () => {
  const zero = () => 0;
  const { registry } = createMetrics({
    block: zero,
    headAgeMs: zero,
    connections: zero,
    sessions: zero,
    judging: zero,
    blobBytes: zero,
    openIntents: zero,
    loopDelayMs: zero,
  });
  const served = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  const dashboard = readFileSync(join(import.meta.dirname, "../../../ops/dashboards/gpuchain-verifier.json"), "utf8");
  const asked = new Set(dashboard.match(/gpuchain_verifier_\w+/g)?.map((name) => name.replace(/_bucket$/, "")));
  expect(asked.size).toBeGreaterThan(10);
  expect([...asked].filter((name) => !served.includes(name))).toEqual([]);
});
