import type { RecordingSummary } from "../../recordings/summary.ts";

export interface Figure {
  readonly value: string;
  readonly unit: string;
  readonly text: string;
  /** ms into the run */
  readonly at: number;
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);

/** Only what the run's own report holds. */
export function figures({ report, marks, durationMs }: RecordingSummary): Figure[] {
  if (!report) return [];
  const at = (test: (title: string) => boolean) => marks.find((m) => test(m.title))?.t ?? durationMs;
  const killedAt = at((t) => t.endsWith("is killed"));
  const out: Figure[] = [];
  if (report.kill) {
    const { evictedMs, firstStepMs, stepsLost } = report.kill;
    out.push({
      value: seconds(evictedMs),
      unit: "s",
      text: "from the kill to the eviction on chain",
      at: killedAt + evictedMs,
    });
    out.push({
      value: seconds(firstStepMs),
      unit: "s",
      text: "from the kill to the next provider’s first step",
      at: killedAt + firstStepMs,
    });
    out.push({
      value: String(stepsLost),
      unit: `of ${report.job.steps}`,
      text: "steps lost with the machine and trained again",
      at: killedAt,
    });
  }
  if (report.junk) {
    const text = `paid for ${report.job.checkpointInterval} steps that didn’t replay`;
    out.push({ value: report.junk.paid.slice(0, -3), unit: "USDC", text, at: at((t) => t.endsWith("refused")) });
  }
  const { refund, budget } = report.money;
  out.push({
    value: trim(refund),
    unit: "USDC",
    text: `of ${trim(budget)} back to the client at the end`,
    at: at((t) => t === "Paid out"),
  });
  return out;
}

/** "0.908000" → "0.908": zeros go, digits never. */
const trim = (usdc: string) => usdc.replace(/(\.\d{2}\d*?)0+$/, "$1");
