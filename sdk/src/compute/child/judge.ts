import { type Hex, sha256Hex } from "../../records/index.ts";
import {
  assertFinite,
  decodeCheckpoint,
  TrainingError,
  type TrainingState,
  updateDistance,
} from "../../training/index.ts";
import type {
  EvaluateRequest,
  EvaluateResult,
  InspectRequest,
  InspectResult,
  ReplayRequest,
  ReplayResult,
} from "../types.ts";
import { type OpenedProgram, readBytes } from "./openedProgram.ts";
import { writeState } from "./stateFile.ts";

/** Integrity of a state's bytes: decodes as this job's checkpoint, right step, every number finite. */
export async function inspect({ program }: OpenedProgram, request: InspectRequest): Promise<InspectResult> {
  const bytes = await readBytes(request.statePath);
  const hash = sha256Hex(bytes);
  try {
    const state = decodeCheckpoint(program, bytes);
    if (state.step !== request.expect.step)
      return {
        ok: false,
        stateHash: hash,
        reason: `It is the state after step ${state.step}, not ${request.expect.step}.`,
      };
    assertFinite(program, state);
    return { ok: true, stateHash: hash };
  } catch (error) {
    if (!(error instanceof TrainingError)) throw error;
    return { ok: false, stateHash: hash, reason: error.message };
  }
}

/** Runs the steps again from `fromPath`, and compares with the claimed state what changed. */
export async function replay(opened: OpenedProgram, request: ReplayRequest): Promise<ReplayResult> {
  const { program } = opened;
  const trainer = opened.trainer();
  const parent = await opened.state(request.fromPath);
  if (request.toStep <= parent.step)
    throw new TrainingError("BAD_INPUT", `Cannot replay from step ${parent.step} to ${request.toStep}.`);
  trainer.load(parent);
  for (let step = parent.step; step < request.toStep; step++) {
    await trainer.step();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await trainer.sync();
  const { batchDigest, meanLoss, stateHash: hash } = trainer.traceLeaf();
  const mine = trainer.state();
  const written =
    request.outDir === undefined ? {} : { statePath: writeState(program, mine, hash, request.outDir).path };
  return {
    stateHash: hash,
    batchDigest,
    meanLoss,
    ...written,
    ...(await compare(opened, request, parent, mine, hash)),
  };
}

async function compare(
  { program }: OpenedProgram,
  request: ReplayRequest,
  parent: TrainingState,
  mine: TrainingState,
  hash: Hex,
): Promise<Pick<ReplayResult, "claimedHash" | "distance" | "reason">> {
  // Equal bits need no arithmetic, and equal names not even the bytes.
  const same = { claimedHash: hash, distance: { params: 0, moment: 0 } };
  if (request.claimedHash === hash) return same;
  if (request.claimedPath === undefined) return {};
  const bytes = await readBytes(request.claimedPath);
  const claimedHash = sha256Hex(bytes);
  if (claimedHash === hash) return same;
  try {
    const claimed = decodeCheckpoint(program, bytes);
    if (claimed.step !== mine.step)
      return { claimedHash, reason: `It is the state after step ${claimed.step}, not ${mine.step}.` };
    assertFinite(program, claimed);
    const distance = updateDistance(parent, mine, claimed);
    // From or to a state of absurd numbers. As JSON such a distance would be null, which is less than every limit.
    if (!Number.isFinite(distance.params) || !Number.isFinite(distance.moment))
      return { claimedHash, reason: `The update distance is ${distance.params} and ${distance.moment}.` };
    return { claimedHash, distance };
  } catch (error) {
    if (!(error instanceof TrainingError)) throw error;
    return { claimedHash, reason: error.message };
  }
}

/** What is said of an nll that is no number: worse than any. As JSON it would be null, which is better than any. */
const WORST_NLL = 1e9;

/** Scores a state on held-out examples. */
export async function evaluate(opened: OpenedProgram, request: EvaluateRequest): Promise<EvaluateResult> {
  const { evaluator, heldOut } = await opened.evaluator();
  const { params } = await opened.state(request.statePath);
  const { accuracy, balancedAccuracy, nll, ...rest } = await evaluator.evaluate(params, heldOut, request.indices);
  return {
    ...rest,
    nll: Number.isFinite(nll) ? Math.min(nll, WORST_NLL) : WORST_NLL,
    examples: rest.predictions.length,
    ...(accuracy === undefined ? {} : { accuracy }),
    ...(balancedAccuracy === undefined ? {} : { balancedAccuracy }),
  };
}
