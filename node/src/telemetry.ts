import type { StepReport } from "@gpuchain/sdk/compute";
import type { StepSample } from "@gpuchain/sdk/gateway";

export interface Progress {
  readonly step: number;
  readonly loss: number;
  readonly stepsPerSecond: number;
}

export interface Telemetry {
  add(job: bigint, fence: bigint, report: StepReport): void;
  /** of the run at hand; undefined before its first step */
  readonly progress: Progress | undefined;
  reset(): void;
  close(): void;
}

/** Steps over which the speed is averaged. */
const WINDOW = 32;
const SEND_EVERY_MS = 1_000;
const MAX_BATCH = 500;

/** Collects steps for the progress line and sends them to the seats once a second: one small message, whatever a step's length. */
export function createTelemetry(
  send: (job: bigint, fence: bigint, steps: readonly StepSample[]) => void,
  now: () => number = Date.now,
): Telemetry {
  let of: { job: bigint; fence: bigint } | undefined;
  let samples: StepSample[] = [];
  let recent: number[] = [];
  let last: StepReport | undefined;
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    timer = undefined;
    if (of !== undefined && samples.length > 0) send(of.job, of.fence, samples.slice(-MAX_BATCH));
    samples = [];
  };
  const reset = () => {
    clearTimeout(timer);
    flush();
    of = undefined;
    last = undefined;
    recent = [];
  };

  return {
    add(job, fence, report) {
      if (of?.job !== job || of.fence !== fence) reset();
      of = { job, fence };
      last = report;
      recent.push(report.ms);
      if (recent.length > WINDOW) recent.shift();
      samples.push({ step: report.step, loss: report.loss, lr: report.lr, ms: report.ms, at: now() });
      timer ??= setTimeout(flush, SEND_EVERY_MS);
    },
    get progress() {
      if (last === undefined) return undefined;
      const ms = recent.reduce((sum, value) => sum + value, 0);
      return { step: last.step, loss: last.loss, stepsPerSecond: ms === 0 ? 0 : (1000 * recent.length) / ms };
    },
    reset,
    close: () => clearTimeout(timer),
  };
}
