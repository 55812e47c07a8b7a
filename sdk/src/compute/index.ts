export { SPARE_FOLDER } from "./spareFiles.ts";
export { startCompute } from "./startCompute.ts";
export { isTracePoint, type TraceSchedule, traceSteps } from "./tracePoints.ts";
export type {
  Compute,
  ComputeLog,
  ComputeOptions,
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
  StartCompute,
  StepReport,
  TracePoint,
  TrainingRun,
  TrainRequest,
  TrainResult,
} from "./types.ts";
