import type { Hex, JobSpec, Prediction, TraceLeaf } from "../records/index.ts";
import type { UpdateDistance } from "../training/index.ts";

/** Where a step runs. */
export type ComputeRuntime = "native" | "wasm" | "webgpu" | "cuda";

/** What the host asks of the child process as a whole. */
export interface ComputeOptions {
  readonly runtime: ComputeRuntime;
  /** threads of one step */
  readonly threads: number;
  /** resident memory at which the child ends itself, in MiB; left out: no limit */
  readonly memoryMb?: number;
  /** longest that one call other than `train` may take, in ms; the child is ended then */
  readonly timeoutMs?: number;
  /** longest that one step of `train` may take, in ms; the child is ended then. Default: 300,000 */
  readonly stepTimeoutMs?: number;
  /** added to the child's niceness, so that beats, votes and transactions go before training */
  readonly nice?: number;
  /** ends the child */
  readonly signal?: AbortSignal;
  readonly log?: ComputeLog;
}

/** The part of a logger that is used here. */
export interface ComputeLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Files of one job, all already checked against their hashes. */
export interface OpenRequest {
  readonly specPath: string;
  /** training data; needed for `train` and `replay` */
  readonly trainPath?: string;
  /** held-out data in the clear; needed for `evaluate` */
  readonly heldOutPath?: string;
  /** frozen base weights, where the model has any */
  readonly basePath?: string;
}

export interface OpenedJob {
  readonly spec: JobSpec;
  readonly specHash: Hex;
  /** hash of the graphs built here, equal to the spec's */
  readonly graphHash: Hex;
  /** SHA-256 of the initial state's bytes */
  readonly genesisHash: Hex;
  /** trained parameters */
  readonly parameters: number;
  readonly trainExamples: number;
  readonly heldOutExamples: number;
  /** examples that run at once on this device */
  readonly microBatch: number;
  /** time taken to build, compile and warm, in ms */
  readonly ms: number;
}

/** One finished step. */
export interface StepReport {
  readonly step: number;
  readonly loss: number;
  readonly lr: number;
  /** wall-clock time of this step, in ms */
  readonly ms: number;
  /** examples that ran at once */
  readonly microBatch: number;
  /** resident memory of the training process, in MiB */
  readonly memoryMb: number;
}

/** One trace point: its leaf, and the file that holds the state's bytes (named by hash). */
export interface TracePoint {
  readonly leaf: TraceLeaf;
  readonly statePath: string;
  /** size of the file */
  readonly bytes: number;
}

export interface TrainRequest {
  /** state to go on from */
  readonly parentPath: string | "genesis";
  /** last step to run */
  readonly toStep: number;
  /** steps between two trace points */
  readonly traceInterval: number;
  /** steps between two checkpoints: each of them is a trace point too */
  readonly checkpointInterval: number;
  /** folder for the states' files */
  readonly outDir: string;
  readonly onStep?: (step: StepReport) => void;
  readonly onTrace?: (point: TracePoint) => void;
  /** stops at the next step boundary */
  readonly signal?: AbortSignal;
}

/** How a run ended. */
export interface TrainResult {
  /** last finished step */
  readonly step: number;
  readonly stopped: boolean;
}

/** A run in progress. State stays in the child between pause and resume. */
export interface TrainingRun {
  /**
   * Settles when the last step is done or the run was stopped.
   *
   * @throws GpuchainError `COMPUTE_DIED`, `COMPUTE_FAILED`
   */
  readonly done: Promise<TrainResult>;
  /** holds at the next step boundary */
  pause(): void;
  resume(): void;
  /** ends at the next step boundary; with `trace` the last state becomes a trace point, wherever it lies */
  stop(options?: { readonly trace?: boolean }): Promise<TrainResult>;
}

export interface InspectRequest {
  readonly statePath: string;
  readonly expect: { readonly step: number };
}

export interface InspectResult {
  readonly ok: boolean;
  /** in words, when it is not */
  readonly reason?: string;
  readonly stateHash: Hex;
}

export interface ReplayRequest {
  /** state before the first replayed step */
  readonly fromPath: string | "genesis";
  readonly toStep: number;
  /** state that the provider claims to have reached; its update is compared with ours */
  readonly claimedPath?: string;
  /** the claimed state's hash, where it is known: when ours is the same there is nothing to read or compare */
  readonly claimedHash?: Hex;
  /** where our own state at `toStep` is written, when it is wanted (named by hash) */
  readonly outDir?: string;
}

export interface ReplayResult {
  /** SHA-256 of our own bytes at `toStep` */
  readonly stateHash: Hex;
  readonly statePath?: string;
  readonly batchDigest: Hex;
  readonly meanLoss: number;
  /** update distance of parameters and first moment: with `claimedPath`, or zero where the bits are those of `claimedHash` */
  readonly distance?: UpdateDistance;
  /** hash of the claimed bytes, with `claimedPath` or where ours are the same */
  readonly claimedHash?: Hex;
  /** why the claimed state could not be compared, in words */
  readonly reason?: string;
}

export interface EvaluateRequest {
  readonly statePath: string | "genesis";
  /** held-out examples to score, in this order; left out: all of them */
  readonly indices?: readonly number[];
}

export interface EvaluateResult {
  readonly examples: number;
  /** left out for language models */
  readonly accuracy?: number;
  readonly balancedAccuracy?: number;
  /** mean negative log-likelihood in nats */
  readonly nll: number;
  readonly predictionsRoot: Hex;
  readonly predictions: readonly Prediction[];
}

/** What the child has used so far. */
export interface ComputeUsage {
  /** CPU time, user and system, in ms */
  readonly cpuMs: number;
  /** resident memory in bytes */
  readonly rss: number;
}

/**
 * A training program in a process of its own. One job is open at a time; calls run one after another in the order they came.
 * A child that dies rejects the calls that were waiting; start another one then.
 */
export interface Compute {
  readonly pid: number | undefined;
  /** settles when the child is gone, whatever the cause */
  readonly exited: Promise<void>;
  readonly alive: boolean;
  open(request: OpenRequest): Promise<OpenedJob>;
  train(request: TrainRequest): TrainingRun;
  inspect(request: InspectRequest): Promise<InspectResult>;
  replay(request: ReplayRequest): Promise<ReplayResult>;
  evaluate(request: EvaluateRequest): Promise<EvaluateResult>;
  usage(): Promise<ComputeUsage>;
  /** ends the child and waits until it is gone */
  close(): Promise<void>;
}

/** Starts a child. Daemons take this as a dependency, so that tests can put another one in its place. */
export type StartCompute = (options: ComputeOptions) => Promise<Compute>;
