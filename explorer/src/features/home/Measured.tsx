import { Link } from "@tanstack/react-router";
import { LaneBar } from "../../charts/LaneBar.tsx";
import { clock, formatDay } from "../../format/time.ts";
import type { RecordingSummary } from "../../recordings/summary.ts";
import { Badge } from "../../ui/Badge.tsx";
import type { LatestRecording } from "./useLatestRecording.ts";

/** Figures of the newest recorded run, each with a link to the moment it comes from. Without a recording: none at all. */
export function Measured({ latest }: { latest: LatestRecording }) {
  const { recording, state } = latest;
  return (
    <section className="wrap sec" aria-labelledby="m-h">
      <header className="sechead">
        <h2 id="m-h">What a real run measured</h2>
        {recording ? (
          <>
            <p>One run, one seed, on {formatDay(new Date(recording.startedAt))}. A demonstration, not a benchmark.</p>
            <p className="bs">
              {recording.badges.map((badge) => (
                <Badge key={badge.kind} kind={badge.kind}>
                  {badge.kind === "recorded" ? undefined : badge.text}
                </Badge>
              ))}
            </p>
          </>
        ) : (
          <p role="status">{MESSAGES[state]}</p>
        )}
      </header>
      {recording && (
        <>
          <LaneBar summary={recording} />
          <div className="figs">
            {figures(recording).map((figure) => (
              <div className="fig" key={figure.text}>
                <p className="v num">
                  {figure.value}
                  <span> {figure.unit}</span>
                </p>
                <p className="t">{figure.text}</p>
                <Link className="src" to="/runs/$id" params={{ id: recording.slug }} search={{ t: figure.at / 1000 }}>
                  {recording.title}, {clock(figure.at)}
                </Link>
              </div>
            ))}
          </div>
        </>
      )}
    </section>
  );
}

const MESSAGES: Readonly<Record<LatestRecording["state"], string>> = {
  loading: "Reading the recordings …",
  none: "No recorded run in this build, so no figures. “npm run demo -- --record FILE” makes one.",
  failed: "The list of recordings can’t be read just now, so no figures.",
  found: "",
};

interface Figure {
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
