import type { Recording, RecordingEntry } from "@gpuchain/sdk/records";
import { plainText } from "../../../format/plain.ts";
import type { BadgeKind } from "../../../ui/badges.ts";
import { big, num } from "./args.ts";
import type { FactEntry } from "./fold.ts";
import { packSteps, type Steps } from "./steps.ts";
import type { Party, RunMeta } from "./types.ts";

/** A run with all that is known of it: what replay scrubs through and what a live run grows. */
export interface RunData {
  readonly meta: RunMeta;
  readonly facts: readonly FactEntry[];
  readonly steps: Steps;
  /** ms from the start to the last entry */
  readonly duration: number;
  readonly startedAt: Date;
  readonly badges: readonly { kind: BadgeKind; text: string | undefined }[];
  /** undefined for a run that is read live */
  readonly recording: Recording | undefined;
}

/** Chain ids whose money is worth nothing. */
const LOCAL = new Set([31337, 1337]);

/** Turns a recording into a run. Badges that data can prove are derived here; the rest keep the recorder's word. */
export function recordedRun(recording: Recording): RunData {
  const { job, network, timeline } = recording;
  const steps = timeline.filter((entry) => entry.kind === "step");
  const limit = limitOf(job.spec);
  const facts = timeline
    .filter((entry): entry is FactEntry => entry.kind !== "step")
    .map((entry) => (entry.kind === "gate" && entry.distance && limit ? { limit, ...entry } : entry));
  return {
    meta: {
      jobId: job.id,
      title: job.title,
      steps: job.steps,
      interval: job.checkpointInterval,
      budget: BigInt(job.budget),
      maxPrice: big(job.terms, "maxPricePerStep"),
      verifierFee: big(job.terms, "verifierFee"),
      leaseDuration: num(job.terms, "leaseDuration"),
      segmentTimeout: num(job.terms, "segmentTimeout"),
      auctionRamp: num(job.terms, "auctionRamp"),
      pulseTimeoutMs: num(job.terms, "pulseTimeoutMs"),
      client: job.client.toLowerCase(),
      specHash: job.specHash,
      blockTimeMs: network.blockTimeMs,
      chainName: network.name,
      parties: partyMap(recording.parties),
    },
    facts,
    steps: packSteps(steps),
    duration: timeline.at(-1)?.t ?? 0,
    startedAt: new Date(recording.startedAt),
    badges: badgesOf(recording),
    recording,
  };
}

/** How far a replayed update may end from the committed one, as a job's spec says. */
export function limitOf(spec: unknown): { params: number; m: number } | undefined {
  const { acceptance } = (spec ?? {}) as { acceptance?: { distance?: { params?: unknown; moment?: unknown } } };
  const { params, moment } = acceptance?.distance ?? {};
  return typeof params === "number" && typeof moment === "number" ? { params, m: moment } : undefined;
}

function partyMap(parties: Recording["parties"]): Map<string, Party> {
  let providers = 0;
  const map = new Map<string, Party>();
  for (const party of parties) {
    const address = party.address.toLowerCase();
    map.set(address, {
      address,
      role: party.role,
      name: plainText(party.name),
      description: party.description === undefined ? undefined : plainText(party.description, 120),
      device: party.device,
      index: party.role === "provider" ? ++providers : 0,
      price: party.price === undefined ? undefined : BigInt(party.price),
      payout: party.payout?.toLowerCase(),
    });
  }
  return map;
}

const RECORDERS_WORD: readonly BadgeKind[] = [
  "realGpu",
  "separateMachine",
  "sameMachine",
  "cappedProfile",
  "synthetic",
  "selfReported",
];

function badgesOf(recording: Recording): RunData["badges"] {
  const badges: { kind: BadgeKind; text: string | undefined }[] = [{ kind: "recorded", text: undefined }];
  if (LOCAL.has(recording.network.chainId)) badges.push({ kind: "localChain", text: undefined });
  const names = new Map(recording.parties.map((p) => [p.address.toLowerCase(), p.name]));
  const faulty = [...new Set(faults(recording.timeline).map((f) => names.get(f.party.toLowerCase()) ?? f.party))];
  if (faulty.length > 0) badges.push({ kind: "injectedFault", text: `Injected fault: ${faulty.join(", ")}` });
  for (const { kind, text } of recording.badges) {
    const known = RECORDERS_WORD.find((k) => k === kind);
    if (known) badges.push({ kind: known, text });
  }
  return badges;
}

const faults = (timeline: readonly RecordingEntry[]) => timeline.filter((entry) => entry.kind === "fault");
