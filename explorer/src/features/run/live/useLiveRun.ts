import { useEffect, useMemo, useRef, useState } from "react";
import { fetchChecked } from "../../../chain/fetchChecked.ts";
import { useEvents } from "../../../chain/useEvents.ts";
import { useHead } from "../../../chain/useHead.ts";
import { useConfig } from "../../../config/ConfigContext.ts";
import { num, struct, text } from "../model/args.ts";
import type { RunData } from "../model/recordedRun.ts";
import { liveRun } from "./liveRun.ts";
import { followJob, NO_TELEMETRY, type Telemetry } from "./telemetry.ts";

export type LiveRun =
  | { readonly state: "loading" }
  | { readonly state: "none" }
  | { readonly state: "missing"; readonly reason: string }
  | { readonly state: "ready"; readonly run: RunData; readonly telemetry: Telemetry };

/** A job as it happens: chain events for what is decided, gateways for what isn't on chain. */
export function useLiveRun(jobId: string): LiveRun {
  const config = useConfig();
  const log = useEvents();
  const head = useHead();
  const [telemetry, setTelemetry] = useState<Telemetry>(NO_TELEMETRY);
  const follower = useRef<ReturnType<typeof followJob>>(undefined);
  useEffect(() => {
    if (config.gateways.length === 0) return;
    const following = followJob(config.gateways, jobId, setTelemetry);
    follower.current = following;
    return () => {
      following.stop();
      follower.current = undefined;
    };
  }, [config.gateways, jobId]);

  const decided = useMemo(
    () =>
      log.events
        .filter((e) => e.name === "VerdictCast" && String(BigInt(num(e.args, "checkpointId")) >> 32n) === jobId)
        .map((e) => text(e.args, "checkpointId")),
    [log.events, jobId],
  );
  useEffect(() => {
    follower.current?.askEvidence(decided);
  }, [decided]);

  const specHash = useMemo(() => {
    const posted = log.events.find((e) => e.name === "JobPosted" && text(e.args, "jobId") === jobId);
    return posted && text(struct(posted.args, "terms"), "specHash");
  }, [log.events, jobId]);
  const [title, setTitle] = useState<string | undefined>();
  useEffect(() => {
    if (!specHash || config.gateways.length === 0) return;
    const abort = new AbortController();
    readTitle(config.gateways, specHash, abort.signal).then(setTitle, () => setTitle(undefined));
    return () => abort.abort();
  }, [specHash, config.gateways]);

  const now = head.timestamp === undefined ? 0 : head.timestamp * 1000;
  const run = useMemo(
    () => liveRun(jobId, log.events, telemetry, config, now, title),
    [jobId, log.events, telemetry, config, now, title],
  );
  if (log.state === "none") return { state: "none" };
  if (run) return { state: "ready", run, telemetry };
  if (log.state === "loading") return { state: "loading" };
  const reason =
    log.state === "failed"
      ? `The chain’s events can’t be read: ${log.problem}`
      : `No job ${jobId} was posted on ${config.name}.`;
  return { state: "missing", reason };
}

/** The job's own title, from its spec; the spec's hash is on chain. */
async function readTitle(
  gateways: readonly string[],
  specHash: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const bytes = await fetchChecked(gateways, specHash, 1_000_000, signal);
  const spec = JSON.parse(new TextDecoder().decode(bytes)) as { title?: unknown };
  return typeof spec.title === "string" && spec.title !== "" ? spec.title.slice(0, 120) : undefined;
}
