import { describe, expect, it } from "vitest";
import type { NodeStatus } from "./nodeStatus.ts";
import { progressLine, showProgress } from "./progressLine.ts";

const idle: NodeStatus = {
  address: "0x00000000000000000000000000000000000000aa",
  name: "garage 3060",
  state: "idle",
  paused: false,
  waitingFor: "a job that fits",
  earnings: { accepted: 250_000n, acceptedSteps: 125, pending: 0n, gas: 0n },
  payout: "0x00000000000000000000000000000000000000aa",
};
const training: NodeStatus = {
  ...idle,
  state: "training",
  job: 3n,
  fence: 2n,
  totalSteps: 400,
  progress: { step: 137, loss: 0.31234, stepsPerSecond: 19.94 },
  earnings: { accepted: 250_000n, acceptedSteps: 125, pending: 100_000n, gas: 0n },
  leaseLeftSeconds: 21.9,
  pulses: { connected: 3, seats: 3 },
};

describe("progress line", () => {
  it("says what the node does, earns and waits for", () => {
    expect(progressLine(training)).toBe(
      "training · job 3 lease 2 · step 137/400 · loss 0.3123 · 19.9 steps/s · earned 0.25 USDC (+0.1 being judged) · lease 21 s left · pulse 3/3",
    );
    expect(progressLine(idle)).toBe("idle · waiting for a job that fits · earned 0.25 USDC");
    expect(progressLine({ ...idle, paused: true, waitingFor: "resume" })).toMatch(/^paused/);
  });

  it("keeps log lines whole above it on a terminal", () => {
    const written: string[] = [];
    const out = { write: (text: string) => written.push(text) > 0, isTTY: true, columns: 80 };
    const display = showProgress(() => training, out);
    display.write("a log line\n");
    display.close();
    expect(written.join("")).toBe("a log line\n");
  });
});
