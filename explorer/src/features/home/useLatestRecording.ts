import { useEffect, useState } from "react";
import { loadRecordingIndex } from "../../recordings/loadRecordings.ts";
import type { RecordingSummary } from "../../recordings/summary.ts";

export interface LatestRecording {
  readonly state: "loading" | "none" | "failed" | "found";
  readonly recording: RecordingSummary | undefined;
}

/** The newest recording with a report, whose figures Home may show. */
export function useLatestRecording(): LatestRecording {
  const [latest, setLatest] = useState<LatestRecording>({ state: "loading", recording: undefined });
  useEffect(() => {
    let gone = false;
    loadRecordingIndex().then(
      (index) => {
        const recording = index.find((r) => r.report);
        if (!gone) setLatest({ state: recording ? "found" : "none", recording });
      },
      () => !gone && setLatest({ state: "failed", recording: undefined }),
    );
    return () => {
      gone = true;
    };
  }, []);
  return latest;
}
