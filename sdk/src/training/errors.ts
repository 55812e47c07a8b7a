/** What went wrong in the training program, by name. */
export type TrainingErrorCode =
  | "BAD_MODEL"
  | "BAD_GRAPH"
  | "BAD_SAFETENSORS"
  | "BAD_CHECKPOINT"
  | "BAD_DATASET"
  | "BAD_INPUT"
  | "GRAPH_MISMATCH"
  | "LAYOUT_MISMATCH"
  | "NOT_FINITE"
  | "OUT_OF_MEMORY"
  | "RUNTIME_UNAVAILABLE"
  | "RUNTIME_FAILED";

/** An error of the training program: short message, what to do next, cause. */
export class TrainingError extends Error {
  override readonly name = "TrainingError";
  readonly code: TrainingErrorCode;

  constructor(code: TrainingErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Whether the same call with less work (a smaller micro-batch) may succeed. */
  get retryable(): boolean {
    return this.code === "OUT_OF_MEMORY";
  }
}
