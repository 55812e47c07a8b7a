import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { loadRecording, NoRecording } from "../../recordings/loadRecordings.ts";
import { Loading } from "../../ui/Loading.tsx";
import { useLiveRun } from "./live/useLiveRun.ts";
import type { RunData } from "./model/recordedRun.ts";
import { NoRun } from "./NoRun.tsx";
import { LiveView, ReplayView } from "./RunView.tsx";

const route = getRouteApi("/runs/$id");

/** A number is a job on the chain; anything else is a recording's name. */
export function RunPage() {
  const { id } = route.useParams();
  return /^\d{1,19}$/.test(id) ? <Live key={id} id={id} /> : <Recorded key={id} slug={id} />;
}

function Live({ id }: { id: string }) {
  const live = useLiveRun(id);
  if (live.state === "loading") return <Loading what="Reading the run from the chain" />;
  if (live.state === "none")
    return <NoRun id={id} reason="This site has no chain behind it; recorded runs have names." />;
  if (live.state === "unreadable") return <NoRun id={id} reason={live.reason} kind="unreadable" />;
  if (live.state === "missing") return <NoRun id={id} reason={live.reason} />;
  return <LiveView run={live.run} id={id} telemetry={live.telemetry} />;
}

function Recorded({ slug }: { slug: string }) {
  const { t } = route.useSearch();
  const [run, setRun] = useState<RunData | Error | undefined>();
  useEffect(() => {
    let gone = false;
    loadRecording(slug).then(
      (loaded) => !gone && setRun(loaded),
      (error: unknown) => !gone && setRun(error instanceof Error ? error : new Error(String(error))),
    );
    return () => {
      gone = true;
    };
  }, [slug]);
  if (!run) return <Loading what="Reading the recording" />;
  if (run instanceof Error)
    return <NoRun id={slug} reason={run.message} kind={run instanceof NoRecording ? "none" : "damaged"} />;
  return <ReplayView run={run} id={slug} startAt={t === undefined ? run.duration : t * 1000} />;
}
