import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { count } from "../../format/number.ts";
import { formatDay, span } from "../../format/time.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { loadRecordingIndex } from "../../recordings/loadRecordings.ts";
import type { RecordingSummary } from "../../recordings/summary.ts";
import { Badge } from "../../ui/Badge.tsx";
import { usePageTitle } from "../../ui/usePageTitle.ts";
import { LiveRuns } from "./LiveRuns.tsx";
import { MiniLanes } from "./MiniLanes.tsx";
import { OpenRecording } from "./OpenRecording.tsx";

/** Jobs on the chain first, then what was recorded. */
export function Runs() {
  usePageTitle("Runs");
  return (
    <>
      <div className="wrap ledhead">
        <h1>Runs</h1>
        <p className="lead">
          Every job on this chain, live, and runs recorded earlier. Open one to see who trained which step, who judged
          it, and what it paid.
        </p>
      </div>
      <LiveRuns />
      <Recorded />
    </>
  );
}

function Recorded() {
  const [index, setIndex] = useState<readonly RecordingSummary[] | Error | undefined>();
  useEffect(() => {
    loadRecordingIndex().then(setIndex, (error: unknown) =>
      setIndex(error instanceof Error ? error : new Error(String(error))),
    );
  }, []);
  return (
    <section className="wrap sec tight" aria-labelledby="rec-h">
      <header className="sechead row">
        <h2 id="rec-h">Recorded</h2>
        <p>Replays need no chain. Each was written by the run itself.</p>
      </header>
      {index === undefined && <p role="status">Reading the list …</p>}
      {index instanceof Error && <p role="alert">The list of recordings can’t be read: {index.message}</p>}
      {Array.isArray(index) && index.length === 0 && (
        <p className="dim">
          This build holds no recording. <code>npm run demo -- --record FILE</code> makes one; put it into{" "}
          <code>explorer/public/recordings</code> and build again.
        </p>
      )}
      {Array.isArray(index) && index.length > 0 && (
        <table className="tab runs">
          <thead>
            <tr>
              <th>Run</th>
              <th>Day</th>
              <th className="r">Steps</th>
              <th>Who, over time</th>
              <th className="r">Lasted</th>
              <th className="r">Budget, USDC</th>
            </tr>
          </thead>
          <tbody>
            {(index as readonly RecordingSummary[]).map((recording) => (
              <tr key={recording.slug}>
                <td className="rn">
                  <Link to="/runs/$id" params={{ id: recording.slug }}>
                    {recording.title}
                  </Link>
                  <span className="bs">
                    {recording.badges.map((badge) => (
                      <Badge key={badge.kind} kind={badge.kind}>
                        {badge.text}
                      </Badge>
                    ))}
                  </span>
                </td>
                <td data-h="Day">{formatDay(new Date(recording.startedAt))}</td>
                <td className="num r" data-h="Steps">
                  {count(recording.acceptedSteps)} of {count(recording.steps)}
                </td>
                <td className="ml" data-h="Who, over time">
                  <MiniLanes summary={recording} />
                </td>
                <td className="num r" data-h="Lasted">
                  {span(recording.durationMs)}
                </td>
                <td className="num r" data-h="Budget, USDC">
                  {formatUsdc(BigInt(recording.budget), 2)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <OpenRecording />
    </section>
  );
}
