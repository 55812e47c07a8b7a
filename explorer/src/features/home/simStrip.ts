import type { StripDiscard, StripMark, StripPiece } from "../../charts/stripLayout.ts";
import type { ProviderId, SimState } from "./sim/types.ts";

export const INDEX: Readonly<Record<ProviderId, number>> = { A: 1, B: 2, C: 3 };

/** The simulation's state as a strip. */
export function simStrip(sim: SimState): {
  model: StripPiece[];
  discarded: StripDiscard[];
  marks: StripMark[];
  cursor: number | undefined;
} {
  const { lease, config } = sim;
  const model: StripPiece[] = sim.accepted.map(({ from, to, provider }) => ({
    from,
    to,
    index: INDEX[provider],
    kind: "pv",
  }));
  for (const { from, to, provider } of sim.pending) model.push({ from, to, index: INDEX[provider], kind: "wait" });
  if (lease && lease.step > lease.base) {
    model.push({ from: lease.base, to: lease.step, index: INDEX[lease.provider], kind: "wait" });
  }
  const pending = new Set(sim.pending.map((p) => p.to));
  const marks: StripMark[] = [];
  for (let step = config.interval; step <= config.totalSteps; step += config.interval) {
    marks.push({ step, state: step <= sim.head ? "ok" : pending.has(step) ? "wait" : "due" });
  }
  return {
    model,
    discarded: sim.discarded.map(({ from, to, provider, kind }) => ({
      from,
      to,
      index: INDEX[provider],
      kind: kind === "refused" ? "no" : "lost",
    })),
    marks,
    cursor: lease?.step,
  };
}

/** The same in words, for those who can't see it. */
export function describeSim(sim: SimState): string {
  const parts = sim.accepted.map(({ from, to, provider }) => `${from + 1} to ${to} by ${provider}`);
  const model = parts.length > 0 ? `Accepted and paid: ${parts.join(", ")}.` : "Nothing accepted yet.";
  const waiting = (sim.lease?.step ?? sim.pending.at(-1)?.to ?? sim.head) - sim.head;
  const lost = sim.discarded.map(({ from, to, provider, kind }) => `${from + 1} to ${to} by ${provider} ${kind}`);
  return [
    `${sim.config.totalSteps} steps.`,
    model,
    waiting > 0 ? `${waiting} not checked yet.` : "",
    lost.length > 0 ? `Thrown away: ${lost.join(", ")}.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}
