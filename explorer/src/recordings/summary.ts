import type { Recording } from "@gpuchain/sdk/records";
import { createPlayer } from "../features/run/model/player.ts";
import { recordedRun } from "../features/run/model/recordedRun.ts";
import { type Fate, leasePieces } from "../features/run/model/steps.ts";
import type { BadgeKind } from "../ui/badges.ts";

/** What Home and Runs show of a recording without loading it. Worked out when the site is built. */
export interface RecordingSummary {
  readonly slug: string;
  readonly title: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly network: string;
  readonly steps: number;
  readonly acceptedSteps: number;
  readonly budget: string;
  readonly badges: readonly { kind: BadgeKind; text?: string }[];
  readonly providers: readonly { name: string; index: number }[];
  readonly lanes: readonly { name: string; index: number; fromMs: number; toMs: number; fate: Fate }[];
  readonly marks: readonly { t: number; title: string; tone: "plain" | "good" | "bad" }[];
  readonly report: Recording["report"];
  readonly bytes: number;
}

/** Sums up a recording for the index. */
export function summarize(slug: string, recording: Recording, bytes: number): RecordingSummary {
  const run = recordedRun(recording);
  const state = createPlayer(run.meta).at(run.facts, run.duration);
  const party = (address: string) => run.meta.parties.get(address);
  return {
    slug,
    title: run.meta.title,
    startedAt: recording.startedAt,
    durationMs: run.duration,
    network: recording.network.name,
    steps: run.meta.steps,
    acceptedSteps: state.headStep,
    budget: String(run.meta.budget),
    badges: run.badges.map(({ kind, text }) => ({ kind, ...(text && { text }) })),
    providers: [...run.meta.parties.values()].filter((p) => p.role === "provider").map(({ name, index }) => ({ name, index })),
    lanes: leasePieces(state, run.duration, run.meta.steps).map((piece) => ({
      name: party(piece.provider)?.name ?? "?",
      index: party(piece.provider)?.index ?? 0,
      fromMs: piece.fromT,
      toMs: piece.toT,
      fate: piece.fate,
    })),
    marks: state.events.map(({ t, title, tone }) => ({ t, title, tone })),
    report: recording.report,
    bytes,
  };
}
