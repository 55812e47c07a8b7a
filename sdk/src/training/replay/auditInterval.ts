import { type Hex, parseJobSpec, sha256Async } from "../../records/index.ts";
import { checkDataset } from "../data/checkDataset.ts";
import { decodeDataset } from "../data/dataset.ts";
import { TrainingError } from "../errors.ts";
import { createProgram } from "../program/createProgram.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import { assertFinite } from "../state/assertFinite.ts";
import { decodeCheckpoint, encodeCheckpoint } from "../state/checkpoint.ts";
import { copyState } from "../state/state.ts";
import { createTrainer } from "../trainer/createTrainer.ts";
import { type UpdateDistance, updateDistance, withinLimits } from "./updateDistance.ts";

/** The files of a trace interval, as fetched by their hashes; none of them is trusted. */
export interface IntervalFiles {
  /** canonical job spec */
  readonly spec: Uint8Array;
  /** training set */
  readonly train: Uint8Array;
  /** state before the interval */
  readonly from: Uint8Array;
  /** state after it, as the provider committed it */
  readonly to: Uint8Array;
  /** frozen base weights, where the model has any */
  readonly base?: Uint8Array;
}

/** What an audit found. */
export interface IntervalAudit {
  readonly fromStep: number;
  readonly toStep: number;
  /** SHA-256 of each file that was read, to be held against the chain */
  readonly hashes: { readonly spec: Hex; readonly train: Hex; readonly from: Hex; readonly to: Hex };
  /** SHA-256 of the state that the replay arrived at */
  readonly replayed: Hex;
  readonly batchDigest: Hex;
  readonly meanLoss: number;
  readonly distance: UpdateDistance;
  /** canonical jobs: equal hashes; native jobs: distance under the spec's limits */
  readonly accepted: boolean;
}

/**
 * Replays a committed interval from its files and compares, as a judge does. Runs wherever a runtime does, a browser tab included.
 *
 * @param onStep called with the steps done after each
 * @throws RecordError or TrainingError when a file is not what the spec says
 */
export async function auditInterval(
  files: IntervalFiles,
  runtime: Runtime,
  onStep: (step: number) => void = () => {},
): Promise<IntervalAudit> {
  const spec = parseJobSpec(files.spec);
  const hashes = {
    spec: await sha256Async(files.spec),
    train: await sha256Async(files.train),
    from: await sha256Async(files.from),
    to: await sha256Async(files.to),
  };
  if (hashes.train !== spec.data.train.sha256)
    throw new TrainingError(
      "BAD_INPUT",
      `The training data's hash is ${hashes.train}; the spec names ${spec.data.train.sha256}.`,
    );
  const program = createProgram(spec);
  const data = decodeDataset(files.train);
  checkDataset(spec.model, data);
  const parent = decodeCheckpoint(program, files.from);
  const claimed = decodeCheckpoint(program, files.to);
  assertFinite(program, parent);
  assertFinite(program, claimed);
  if (claimed.step <= parent.step)
    throw new TrainingError(
      "BAD_INPUT",
      `The second state is of step ${claimed.step}, the first of step ${parent.step}.`,
    );

  const base = await baseWeights(files.base, spec.model);
  const trainer = await createTrainer({ program, runtime, data, state: parent, ...(base ? { base } : {}) });
  try {
    for (let step = parent.step; step < claimed.step; step++) {
      await trainer.step();
      onStep(step + 1);
    }
    await trainer.sync();
    const replayedState = copyState(trainer.state());
    const { batchDigest, meanLoss, stateHash } = trainer.traceLeaf(
      await sha256Async(encodeCheckpoint(program, replayedState)),
    );
    const distance = updateDistance(parent, replayedState, claimed);
    const accepted =
      spec.class === "canonical" ? stateHash === hashes.to : withinLimits(distance, spec.acceptance.distance);
    const { step: fromStep } = parent;
    return { fromStep, toStep: claimed.step, hashes, replayed: stateHash, batchDigest, meanLoss, distance, accepted };
  } finally {
    await trainer.close();
  }
}

async function baseWeights(
  bytes: Uint8Array | undefined,
  model: ReturnType<typeof parseJobSpec>["model"],
): Promise<Float32Array | undefined> {
  if (model.architecture !== "bert-lora") return undefined;
  if (bytes === undefined) throw new TrainingError("BAD_INPUT", "This model needs its base weights.");
  const hash = await sha256Async(bytes);
  if (hash !== model.baseWeights.sha256)
    throw new TrainingError(
      "BAD_INPUT",
      `The base weights' hash is ${hash}; the spec names ${model.baseWeights.sha256}.`,
    );
  return new Float32Array(bytes.slice().buffer);
}
