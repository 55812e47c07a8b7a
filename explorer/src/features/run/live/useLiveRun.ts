import { useEffect, useMemo, useRef, useState } from "react";
import type { ChainEvent } from "../../../chain/chainEvent.ts";
import { fetchChecked } from "../../../chain/fetchChecked.ts";
import { useEvents } from "../../../chain/useEvents.ts";
import { useHead } from "../../../chain/useHead.ts";
import { useConfig } from "../../../config/ConfigContext.ts";
import { plainText } from "../../../format/plain.ts";
import { address, big, list, num, struct, text } from "../model/args.ts";
import { limitOf, type RunData } from "../model/recordedRun.ts";
import { liveRun, type SpecFacts } from "./liveRun.ts";
import { followJob, NO_TELEMETRY, type Telemetry } from "./telemetry.ts";

export type LiveRun =
  | { readonly state: "loading" }
  | { readonly state: "none" }
  | { readonly state: "missing"; readonly reason: string }
  | { readonly state: "unreadable"; readonly reason: string }
  | { readonly state: "ready"; readonly run: RunData; readonly telemetry: Telemetry };

/** A job as it happens: chain events for what is decided, gateways for what isn't on chain. */
export function useLiveRun(jobId: string): LiveRun {
  const config = useConfig();
  const log = useEvents();
  const head = useHead();
  const posted = useMemo(
    () => log.events.find((e) => e.name === "JobPosted" && text(e.args, "jobId") === jobId),
    [log.events, jobId],
  );
  const seats = useMemo(() => seatsOf(log.events, jobId).join(), [log.events, jobId]);
  const newestFence = useRef(0);
  newestFence.current = useMemo(
    () => log.events.reduce((n, e) => (e.name === "LeaseAcquired" && text(e.args, "jobId") === jobId ? n + 1 : n), 0),
    [log.events, jobId],
  );
  const [telemetry, setTelemetry] = useState<Telemetry>(NO_TELEMETRY);
  const follower = useRef<ReturnType<typeof followJob>>(undefined);
  const { gateways } = config;
  const exists = posted !== undefined;
  useEffect(() => {
    if (gateways.length === 0 || !exists) return;
    const following = followJob({
      gateways,
      jobId,
      seats: seats.split(","),
      newestFence: () => newestFence.current,
      publish: setTelemetry,
    });
    follower.current = following;
    return () => {
      following.stop();
      follower.current = undefined;
    };
  }, [gateways, jobId, exists, seats]);

  const decided = useMemo(
    () =>
      log.events
        .filter((e) => e.name === "VerdictCast" && String(big(e.args, "checkpointId") >> 32n) === jobId)
        .map((e) => text(e.args, "checkpointId")),
    [log.events, jobId],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a gateway that has just come up is asked too
  useEffect(() => {
    follower.current?.askEvidence(decided);
  }, [decided, telemetry.up.length]);

  const specHash = posted && text(struct(posted.args, "terms"), "specHash");
  const [spec, setSpec] = useState<SpecFacts>({});
  useEffect(() => {
    if (!specHash || gateways.length === 0) return;
    const abort = new AbortController();
    readSpec(gateways, specHash, abort.signal).then(setSpec, () => setSpec({}));
    return () => abort.abort();
  }, [specHash, gateways]);

  const now = head.timestamp === undefined ? 0 : head.timestamp * 1000;
  const run = useMemo(
    () => liveRun(jobId, log.events, telemetry, config, now, spec),
    [jobId, log.events, telemetry, config, now, spec],
  );
  if (log.state === "none") return { state: "none" };
  if (run) return { state: "ready", run, telemetry };
  if (log.state === "loading") return { state: "loading" };
  if (log.state === "failed") {
    return { state: "unreadable", reason: `The chain’s events can’t be read: ${log.problem}` };
  }
  return { state: "missing", reason: `No job ${jobId} was posted on ${config.name}.` };
}

/** Who sits in judgment on a job now. */
function seatsOf(events: readonly ChainEvent[], jobId: string): string[] {
  let seats: string[] = [];
  for (const { name, args } of events) {
    if (args.jobId === undefined || text(args, "jobId") !== jobId) continue;
    if (name === "CommitteeSeated") seats = [...list(args, "verifiers")];
    if (name === "SeatReplaced") seats[num(args, "seat")] = address(args, "verifier");
  }
  return seats;
}

/** What the page takes from the job's spec; the spec's hash is on chain, and the bytes are checked against it. */
async function readSpec(gateways: readonly string[], specHash: string, signal: AbortSignal): Promise<SpecFacts> {
  const bytes = await fetchChecked(gateways, specHash, 1_000_000, signal);
  const spec = JSON.parse(new TextDecoder().decode(bytes)) as { title?: unknown };
  const { title } = spec;
  const limit = limitOf(spec);
  return {
    ...(typeof title === "string" && plainText(title) !== "" && { title: plainText(title, 120) }),
    ...(limit && { limit }),
  };
}
