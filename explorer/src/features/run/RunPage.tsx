import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { loadRecording } from "../../recordings/loadRecordings.ts";
import { Loading } from "../../ui/Loading.tsx";
import type { RunData } from "./model/recordedRun.ts";
import { NoRun } from "./NoRun.tsx";
import { RunView } from "./RunView.tsx";

const route = getRouteApi("/runs/$id");

/** A number is a job on the chain; anything else is a recording's name. */
export function RunPage() {
  const { id } = route.useParams();
  return <RecordedRun key={id} slug={id} />;
}

function RecordedRun({ slug }: { slug: string }) {
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
  if (run instanceof Error) return <NoRun id={slug} reason={run.message} />;
  return <RunView run={run} id={slug} startAt={t === undefined ? run.duration : t * 1000} />;
}
