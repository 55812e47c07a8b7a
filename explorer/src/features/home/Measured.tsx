import { Link } from "@tanstack/react-router";
import { LaneBar } from "../../charts/LaneBar.tsx";
import { clock, formatDay } from "../../format/time.ts";
import { Badge } from "../../ui/Badge.tsx";
import { figures } from "./figures.ts";
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
