import { createLogger, GpuchainError } from "@gpuchain/sdk/daemon";
import type { LogLine, StepSample } from "@gpuchain/sdk/gateway";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLeaseLog } from "./leaseLog.ts";
import { createTelemetry } from "./telemetry.ts";

describe("what a lease's followers are told", () => {
  const written: string[] = [];
  const told: LogLine[] = [];
  const at = 1_000;
  const log = () => {
    const all = createLogger({
      name: "node",
      level: "info",
      json: true,
      destination: { write: (l) => written.push(l) },
    });
    return createLeaseLog(
      all,
      { job: 7n, fence: 2n },
      (line) => void told.push(line),
      () => at,
    );
  };
  afterEach(() => {
    written.length = 0;
    told.length = 0;
  });

  it("is each line's sentence with an error's code, and nothing of this machine", () => {
    const leaseLog = log();
    leaseLog.info({ event: "checkpoint.stored", step: 20 }, "step 20 stored by two seats");
    const error = new GpuchainError(
      "DISK_FULL",
      "no room in /home/anna/garage on https://rpc.example/v2/abcdefghijklmnopqrstuvwx",
    );
    leaseLog.warn({ err: error, attempt: 1 }, "training stopped");
    leaseLog.error({ err: new TypeError("bad /home/anna") }, "x".repeat(3_000));
    leaseLog.debug("not for others");
    leaseLog.info({ event: "step", loss: 0.5 });
    expect(told).toEqual([
      { at, level: "info", message: "step 20 stored by two seats" },
      { at, level: "warn", message: "training stopped (DISK_FULL)" },
      { at, level: "error", message: "x".repeat(500) },
    ]);
    // The node's own log has all of it, with job and fence in every line.
    expect(written).toHaveLength(4);
    expect(written.every((line) => line.includes('"job":"7","fence":"2"'))).toBe(true);
    expect(written[1]).toContain("/home/anna/garage");
  });

  it("comes with the steps once a second, is kept while nobody hears it, and of a flood is the newest hundred lines", () => {
    const sent: { fence: bigint; steps: readonly StepSample[]; logs: readonly LogLine[] }[] = [];
    let heard = false;
    const telemetry = createTelemetry((_job, fence, steps, logs) => {
      if (heard) sent.push({ fence, steps, logs });
      return heard;
    });
    telemetry.add(7n, 2n, { step: 1, loss: 0.5, lr: 0.1, ms: 4, microBatch: 8, memoryMb: 90 }, 128);
    for (let i = 0; i < 150; i++) telemetry.log(7n, 2n, { at, level: "info", message: String(i) });
    vi.advanceTimersByTime(3_000);
    expect(sent).toEqual([]);
    heard = true;
    vi.advanceTimersByTime(1_000);
    expect(sent).toHaveLength(1);
    const { at: _, ...first } = sent[0]?.steps[0] ?? {};
    expect(first).toEqual({ step: 1, loss: 0.5, lr: 0.1, ms: 4, microBatch: 8, memoryMb: 90, tokensPerSecond: 32_000 });
    expect(sent[0]?.logs.map(({ message }) => message)).toEqual(Array.from({ length: 100 }, (_, i) => String(i + 50)));
    heard = false;
    telemetry.log(7n, 2n, { at, level: "info", message: "the last of a lease" });
    telemetry.log(7n, 3n, { at, level: "info", message: "of the next one" });
    heard = true;
    vi.advanceTimersByTime(5_000);
    expect(sent.slice(1)).toMatchObject([{ fence: 3n, steps: [], logs: [{ message: "of the next one" }] }]);
    telemetry.close();
  });
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
});
