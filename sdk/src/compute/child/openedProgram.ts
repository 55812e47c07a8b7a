import { readFile } from "node:fs/promises";
import { type Hex, parseJobSpec } from "../../records/index.ts";
import {
  assertFinite,
  checkDataset,
  createEvaluator,
  createProgram,
  createTrainer,
  type Dataset,
  decodeCheckpoint,
  decodeDataset,
  type Evaluator,
  initialState,
  type Program,
  type Runtime,
  stateHash,
  type Trainer,
  TrainingError,
  type TrainingState,
} from "../../training/index.ts";
import type { ChildSettings } from "../protocol.ts";
import type { OpenedJob, OpenRequest } from "../types.ts";

/** A job as it lies open in the child: graphs compiled, data checked. */
export interface OpenedProgram {
  readonly program: Program;
  readonly opened: OpenedJob;
  /** the compiled trainer @throws TrainingError when the job was opened without training data */
  trainer(): Trainer;
  /** compiled when first asked for */
  evaluator(): Promise<{ evaluator: Evaluator; heldOut: Dataset }>;
  /** reads and decodes a state; `genesis` is the initial one */
  state(path: string): Promise<TrainingState>;
  close(): Promise<void>;
}

/** Reads a job's files, rebuilds its graphs, checks them against the spec, compiles, and runs one step to have everything in place. */
export async function openProgram(request: OpenRequest, settings: ChildSettings): Promise<OpenedProgram> {
  const began = performance.now();
  const spec = parseJobSpec(await readFile(request.specPath));
  const program = createProgram(spec);
  const runtime = await createRuntime(spec.class === "canonical" ? "wasm" : settings.runtime, settings.threads);
  const data = await readDataset(program, request.trainPath);
  const heldOut = await readDataset(program, request.heldOutPath);
  const base = request.basePath === undefined ? undefined : await readFloats(request.basePath, program.baseLayout.size);
  if (base === undefined && program.baseLayout.size > 0)
    throw new TrainingError("BAD_INPUT", "This model needs its base weights: open the job with them.");
  const frozen = base === undefined ? {} : { base };
  const genesis = initialState(program);
  assertFinite(program, genesis);
  const genesisHash: Hex = stateHash(program, genesis);

  let trainer: Trainer | undefined;
  if (data !== undefined) {
    trainer = await createTrainer({ program, runtime, data, state: genesis, ...frozen, ...memoryCap(settings) });
    await trainer.step();
    trainer.load(genesis);
  }
  let evaluating: Promise<Evaluator> | undefined;

  return {
    program,
    opened: {
      spec,
      specHash: program.specHash,
      graphHash: program.graphHash,
      genesisHash,
      parameters: program.layout.size,
      trainExamples: data?.examples ?? 0,
      heldOutExamples: heldOut?.examples ?? 0,
      microBatch: trainer?.microBatch ?? program.unit,
      ms: performance.now() - began,
    },
    trainer() {
      if (trainer === undefined) throw new TrainingError("BAD_INPUT", "The job was opened without training data.");
      return trainer;
    },
    async evaluator() {
      if (heldOut === undefined) throw new TrainingError("BAD_INPUT", "The job was opened without held-out data.");
      evaluating ??= createEvaluator({ program, runtime, ...frozen });
      return { evaluator: await evaluating, heldOut };
    },
    async state(path) {
      return path === "genesis" ? initialState(program) : decodeCheckpoint(program, await readBytes(path));
    },
    async close() {
      await trainer?.close();
      await (await evaluating)?.close();
    },
  };
}

/** Room is left below the limit at which the child is ended: for states that are read, and for the evaluation. */
const FITTED_SHARE = 0.8;

const memoryCap = ({ memoryMb }: ChildSettings) =>
  memoryMb === undefined || memoryMb === 0
    ? {}
    : { memory: { limitBytes: FITTED_SHARE * memoryMb * 2 ** 20, used: () => process.memoryUsage.rss() } };

/** Each runtime is loaded only where it is used: a native node never pays for WebAssembly, nor the other way round. */
async function createRuntime(name: ChildSettings["runtime"], threads: number): Promise<Runtime> {
  switch (name) {
    case "wasm":
      return (await import("../../training/runtimes/wasm.ts")).createWasmRuntime({ threads });
    case "webgpu":
      return (await import("../../training/runtimes/webgpu.ts")).createWebGpuRuntime();
    case "cuda":
      return (await import("../../training/runtimes/cuda.ts")).createCudaRuntime();
    case "native":
      return (await import("../../training/runtimes/native.ts")).createNativeRuntime({ threads });
  }
}

async function readDataset(program: Program, path: string | undefined): Promise<Dataset | undefined> {
  if (path === undefined) return undefined;
  const dataset = decodeDataset(await readBytes(path));
  checkDataset(program.spec.model, dataset);
  return dataset;
}

/** A file's bytes in memory of their own, so that float views of them are aligned. */
export async function readBytes(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function readFloats(path: string, size: number): Promise<Float32Array> {
  const bytes = await readBytes(path);
  if (bytes.length !== 4 * size)
    throw new TrainingError("BAD_INPUT", `The base weights take ${bytes.length} bytes; the model needs ${4 * size}.`);
  return new Float32Array(bytes.slice().buffer);
}
