import { type CheckpointMeta, checkpointMetaSchema, createSha256, type Hex, toHex } from "../../records/index.ts";
import { TrainingError } from "../errors.ts";
import type { Layout } from "../models/layout.ts";
import type { Program } from "../program/createProgram.ts";
import { decodeSafetensors, encodeSafetensorsHeader } from "./safetensors.ts";
import type { TrainingState } from "./state.ts";

const FORMAT = "gpuchain-checkpoint/1";

/** What a checkpoint of this program after `step` steps says of itself. */
export function checkpointMeta({ spec, specHash, graphHash }: Program, step: number): CheckpointMeta {
  return { specHash, graphHash, step, cursor: step * spec.training.batch, rngCounter: 0 };
}

const tensorNames = (layout: Layout) =>
  ["", "optimizer.m.", "optimizer.v."].flatMap((prefix) =>
    layout.entries.map(({ name, shape }) => ({ name: `${prefix}${name}`, dtype: "F32" as const, shape })),
  );

function header(program: Program, step: number): Uint8Array {
  const { specHash, graphHash, cursor, rngCounter } = checkpointMeta(program, step);
  return encodeSafetensorsHeader(tensorNames(program.layout), {
    format: FORMAT,
    specHash,
    graphHash,
    step: String(step),
    cursor: String(cursor),
    rngCounter: String(rngCounter),
  });
}

const bytesOf = (values: Float32Array) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** The pieces of a checkpoint file in order; views of the state, nothing is copied: to write or hash a state without a second one. */
export const checkpointPieces = (program: Program, { step, params, m, v }: TrainingState): Uint8Array[] => [
  header(program, step),
  bytesOf(params),
  bytesOf(m),
  bytesOf(v),
];

/** Size of the checkpoint file of this program after `step` steps, in bytes. */
export const checkpointBytes = (program: Program, step: number): number =>
  header(program, step).length + 12 * program.layout.size;

/** SHA-256 of the checkpoint bytes of a state, without writing them: the state's name in traces and on chain. */
export function stateHash(program: Program, state: TrainingState): Hex {
  const hash = createSha256();
  for (const piece of checkpointPieces(program, state)) hash.update(piece);
  return toHex(hash.digest());
}

/** A state as a safetensors file with a canonical header: weights by name, then both moments. */
export function encodeCheckpoint(program: Program, state: TrainingState): Uint8Array {
  const parts = checkpointPieces(program, state);
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    file.set(part, offset);
    offset += part.length;
  }
  return file;
}

/**
 * Reads a checkpoint of the given program. The file must be the one that {@link encodeCheckpoint} writes, byte for byte.
 *
 * @returns the state; a view of `file` where its memory is aligned
 * @throws TrainingError `BAD_SAFETENSORS`, `BAD_CHECKPOINT` (other job, other graph, not canonical) or `LAYOUT_MISMATCH`
 */
export function decodeCheckpoint(program: Program, file: Uint8Array): TrainingState {
  const meta = readCheckpointMeta(file);
  for (const key of ["specHash", "graphHash"] as const)
    if (meta[key] !== program[key])
      throw new TrainingError("BAD_CHECKPOINT", `The checkpoint's ${key} is ${meta[key]}, the job's ${program[key]}.`);
  const { size } = program.layout;
  const expected = header(program, meta.step);
  const bytes = checkpointBytes(program, meta.step);
  if (file.length !== bytes)
    throw new TrainingError("LAYOUT_MISMATCH", `The checkpoint takes ${file.length} bytes, not ${bytes}.`);
  if (!expected.every((byte, i) => file[i] === byte))
    throw new TrainingError(
      "BAD_CHECKPOINT",
      "The checkpoint's header is not the canonical one for this job and step.",
    );
  const start = file.byteOffset + expected.length;
  const data =
    start % 4 === 0
      ? new Float32Array(file.buffer, start, 3 * size)
      : new Float32Array(file.slice(expected.length).buffer, 0, 3 * size);
  const part = (i: number) => data.subarray(i * size, (i + 1) * size);
  return { step: meta.step, params: part(0), m: part(1), v: part(2) };
}

/**
 * What a checkpoint file says of itself; needs no program.
 *
 * @throws TrainingError `BAD_SAFETENSORS` or `BAD_CHECKPOINT`
 */
export function readCheckpointMeta(file: Uint8Array): CheckpointMeta {
  const { format, step, cursor, rngCounter, ...hashes } = decodeSafetensors(file).metadata;
  const result = checkpointMetaSchema.safeParse({
    ...hashes,
    step: Number(step),
    cursor: Number(cursor),
    rngCounter: Number(rngCounter),
  });
  if (format !== FORMAT || !result.success)
    throw new TrainingError("BAD_CHECKPOINT", "The file's metadata is not that of a checkpoint.", {
      cause: result.error,
    });
  return result.data;
}
