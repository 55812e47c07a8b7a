import type {
  ComputeRuntime,
  ComputeUsage,
  EvaluateRequest,
  EvaluateResult,
  InspectRequest,
  InspectResult,
  OpenedJob,
  OpenRequest,
  ReplayRequest,
  ReplayResult,
  StepReport,
  TracePoint,
  TrainRequest,
  TrainResult,
} from "./types.ts";

/** What the child is started with, as its one argument. */
export interface ChildSettings {
  readonly runtime: ComputeRuntime;
  readonly threads: number;
  readonly memoryMb?: number;
  readonly nice?: number;
}

/** A training request as it travels: functions and signals stay at home. */
export type TrainArguments = Omit<TrainRequest, "onStep" | "onTrace" | "signal">;

/** Calls that are answered once, in order. */
export interface Calls {
  open: { request: OpenRequest; result: OpenedJob };
  train: { request: TrainArguments; result: TrainResult };
  inspect: { request: InspectRequest; result: InspectResult };
  replay: { request: ReplayRequest; result: ReplayResult };
  evaluate: { request: EvaluateRequest; result: EvaluateResult };
  usage: { request: null; result: ComputeUsage };
}
export type CallName = keyof Calls;

/** Host to child. Files are named by path: no tensor ever travels over the channel. */
export type ToChild =
  | { [Name in CallName]: { type: "call"; id: number; call: Name; request: Calls[Name]["request"] } }[CallName]
  | { type: "pause" | "resume"; id: number }
  | { type: "stop"; id: number; trace: boolean };

/** Child to host. Steps are sent in small batches, so that a job of tiny steps does not drown the channel. */
export type FromChild =
  | { type: "ready" }
  /** a call has reached the head of the queue: its time limit counts from here */
  | { type: "started"; id: number }
  | { type: "result"; id: number; result: Calls[CallName]["result"] }
  | { type: "failed"; id: number; error: WireError }
  | { type: "steps"; id: number; steps: readonly StepReport[] }
  | { type: "trace"; id: number; point: TracePoint }
  /** the child ends itself; the host learns why before the channel closes */
  | { type: "dying"; reason: string };

export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly stack?: string;
}
