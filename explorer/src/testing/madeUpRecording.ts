import { type EventArg, RECORDING_VERSION, type Recording, type RecordingEntry } from "@gpuchain/sdk/records";
import { ADDRESS, hash, SEATS, type Shape, terms } from "./madeUp.ts";

/** What the made-up run cost, in base units. */
export interface Books {
  readonly providerPay: bigint;
  readonly fees: bigint;
}

/** Puts job, parties and report around what happened. */
export function madeUpRecording(shape: Shape, books: Books, timeline: RecordingEntry[]): Recording {
  return {
    version: RECORDING_VERSION,
    protocolVersion: "1",
    startedAt: "2026-11-04T14:00:00.000Z",
    network: { chainId: 31337, name: "Local chain", blockTimeMs: 2000 },
    job: {
      id: "1",
      title: "Spam or ham, small transformer",
      template: "text-classification",
      class: "native",
      client: ADDRESS.client as string,
      specHash: hash(99),
      steps: shape.steps,
      checkpointInterval: shape.interval,
      traceInterval: 5,
      budget: String(shape.budget),
      terms: terms(shape) as Record<string, EventArg>,
    },
    parties: [
      { role: "client", name: "Client", address: ADDRESS.client as string },
      { role: "provider", name: "A", address: ADDRESS.A as string, price: "1000", description: "garage 3060" },
      { role: "provider", name: "P", address: ADDRESS.P as string, price: "2000", description: "lab spare" },
      { role: "provider", name: "B", address: ADDRESS.B as string, price: "3000", description: "night shift" },
      ...SEATS.map((address, i) => ({ role: "verifier" as const, name: `Seat ${i + 1}`, address })),
      { role: "treasury", name: "Treasury", address: ADDRESS.treasury as string },
    ],
    badges: [{ kind: "synthetic", text: "Made up for a test" }],
    timeline: timeline,
    report: report(shape, books),
  };
}

/** Figures of this made-up run, in the form the demo writes them. */
function report(shape: Shape, books: Books): NonNullable<Recording["report"]> {
  const six = (units: bigint) => `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`;
  const fee = (books.providerPay * 800n) / 10_000n;
  return {
    network: { chainId: 31337, blockTimeMs: 2000 },
    job: { steps: shape.steps, checkpointInterval: shape.interval, budget: six(shape.budget) },
    kill: {
      provider: "A",
      atStep: 158,
      lastCheckpoint: 150,
      detectedMs: 540,
      evictedMs: 1_700,
      acquiredMs: 3_700,
      firstStepMs: 3_900,
      stepsLost: 8,
    },
    checkpoints: [],
    junk: { provider: "P", refused: true, gate: "replay", paid: "0.000000" },
    final: { accuracy: 0.97, balancedAccuracy: 0.96, nll: 0.1, heldOut: 600 },
    money: {
      budget: six(shape.budget),
      providers: { A: "0.150000", P: "0.000000", B: "0.750000" },
      verifiers: six(books.fees),
      fee: six(fee),
      refund: six(shape.budget - books.providerPay - books.fees - fee),
      reserves: { held: "6.000000", owed: "6.000000" },
    },
    speed: { bareStepsPerSecond: 17, runStepsPerSecond: 14 },
    wallMs: 68_000,
  };
}
