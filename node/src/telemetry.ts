import type { StepReport } from "@gpuchain/sdk/compute";
import type { LogLine, StepSample } from "@gpuchain/sdk/gateway";

export interface Progress {
  readonly step: number;
  readonly loss: number;
  readonly stepsPerSecond: number;
}

export interface Telemetry {
  /** @param tokens of a step, in a job that has any */
  add(job: bigint, fence: bigint, report: StepReport, tokens?: number): void;
  /** A line of the lease's log, for whoever follows the job. */
  log(job: bigint, fence: bigint, line: LogLine): void;
  /** of the run at hand; undefined before its first step */
  readonly progress: Progress | undefined;
  reset(): void;
  close(): void;
}

/** Steps over which the speed is averaged. */
const WINDOW = 32;
const SEND_EVERY_MS = 1_000;
const MAX_BATCH = 500;
/** Log lines in one message; of more the newest. */
const MAX_LINES = 100;

/**
 * Collects steps and log lines and sends them to the seats once a second: one small message, whatever a step's length.
 *
 * @param send false when nobody could take it, as before a job's seats are drawn: it is kept, the newest of it, for the next second
 */
export function createTelemetry(
  send: (job: bigint, fence: bigint, steps: readonly StepSample[], logs: readonly LogLine[]) => boolean,
  now: () => number = Date.now,
): Telemetry {
  let of: { job: bigint; fence: bigint } | undefined;
  let samples: StepSample[] = [];
  let lines: LogLine[] = [];
  let recent: number[] = [];
  let last: StepReport | undefined;
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    timer = undefined;
    if (of === undefined || samples.length + lines.length === 0) return;
    if (!send(of.job, of.fence, samples, lines)) {
      timer = setTimeout(flush, SEND_EVERY_MS);
      return;
    }
    samples = [];
    lines = [];
  };
  const reset = () => {
    clearTimeout(timer);
    flush();
    clearTimeout(timer);
    timer = undefined;
    samples = [];
    lines = [];
    of = undefined;
    last = undefined;
    recent = [];
  };

  const under = (job: bigint, fence: bigint) => {
    if (of?.job !== job || of.fence !== fence) reset();
    of = { job, fence };
    timer ??= setTimeout(flush, SEND_EVERY_MS);
  };

  return {
    add(job, fence, report, tokens) {
      under(job, fence);
      last = report;
      recent.push(report.ms);
      if (recent.length > WINDOW) recent.shift();
      const tokensPerSecond = tokens && report.ms > 0 ? { tokensPerSecond: (1000 * tokens) / report.ms } : {};
      samples.push({ ...report, ...tokensPerSecond, at: now() });
      if (samples.length > MAX_BATCH) samples.shift();
    },
    log(job, fence, line) {
      under(job, fence);
      lines.push(line);
      if (lines.length > MAX_LINES) lines.shift();
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
