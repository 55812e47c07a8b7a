import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createNodeMetrics, serveMetrics } from "./metricsServer.ts";
import type { NodeStatus } from "./nodeStatus.ts";

const status: NodeStatus = {
  address: "0x00000000000000000000000000000000000000aa",
  name: "A",
  state: "training",
  paused: false,
  waitingFor: "step 7 of 40",
  progress: { step: 7, loss: 0.5, stepsPerSecond: 12 },
  earnings: { accepted: 250_000n, acceptedSteps: 125, pending: 0n, gas: 2n * 10n ** 15n },
  payout: "0x00000000000000000000000000000000000000aa",
};

it("serves what the committed dashboard asks for, with units, and no value for what is not known", async () => {
  let healthy = true;
  const registry = createNodeMetrics({
    status: () => status,
    block: () => 9,
    headAgeMs: () => 1500,
    openTransactions: () => 1,
    celsius: () => undefined,
    watts: () => 61,
  });
  const server = await serveMetrics({ host: "127.0.0.1", port: 0 }, registry, () => healthy);
  try {
    const at = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);
    const text = await (await at("/metrics")).text();
    expect(text).toContain('gpuchain_node_state{state="training"} 1');
    expect(text).toContain('gpuchain_node_state{state="idle"} 0');
    expect(text).toContain("gpuchain_node_earned_usdc 0.25");
    expect(text).toContain("gpuchain_node_gas_paid_coins 0.002");
    expect(text).toContain("gpuchain_node_chain_head_age_seconds 1.5");
    expect(text).not.toMatch(/^gpuchain_node_card_celsius \S/m);
    const served = new Set(text.match(/^# TYPE (\w+)/gm)?.map((line) => line.slice(7)));
    const dashboard = readFileSync(join(import.meta.dirname, "../../ops/dashboards/gpuchain-node.json"), "utf8");
    const asked = new Set(dashboard.match(/gpuchain_node_\w+/g));
    expect(asked.size).toBeGreaterThan(15);
    expect([...asked].filter((name) => !served.has(name))).toEqual([]);
    expect((await at("/healthz")).status).toBe(200);
    healthy = false;
    expect((await at("/healthz")).status).toBe(503);
  } finally {
    await server.close();
  }
});

it("says that its port is taken", async () => {
  const registry = createNodeMetrics({
    status: () => status,
    block: () => 0,
    headAgeMs: () => 0,
    openTransactions: () => 0,
    celsius: () => undefined,
    watts: () => undefined,
  });
  const first = await serveMetrics({ host: "127.0.0.1", port: 0 }, registry, () => true);
  const second = serveMetrics({ host: "127.0.0.1", port: first.port }, registry, () => true);
  await expect(second).rejects.toMatchObject({ code: "PORT_TAKEN" });
  await first.close();
});
