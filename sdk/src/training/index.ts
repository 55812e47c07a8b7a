export { batchDigest, intervalDigest } from "./data/batchDigest.ts";
export { batchIndices } from "./data/batchIndices.ts";
export { checkDataset } from "./data/checkDataset.ts";
export {
  type ColumnData,
  type DataFormat,
  type Dataset,
  decodeDataset,
  encodeDataset,
  labelledTokens,
} from "./data/dataset.ts";
export { groupedSplit } from "./data/groupedSplit.ts";
export { hashedWords, splitWords } from "./data/hashedWords.ts";
export { planePoints } from "./data/planePoints.ts";
export { decodeText } from "./data/readers/decodeText.ts";
export {
  AG_NEWS,
  type FileForm,
  type LabelledText,
  type LabelledTextsOptions,
  readLabelledTexts,
} from "./data/readers/labelledTexts.ts";
export { type BadRow, describeReport, MAX_BAD_SHARE, type ReadReport } from "./data/readers/rows.ts";
export {
  readTable,
  type Standardisation,
  standardisationOf,
  type TableOptions,
  type TableRows,
  tableDataset,
} from "./data/readers/table.ts";
export { tokenWindows } from "./data/tokenWindows.ts";
export { trainBytePairs } from "./data/trainBytePairs.ts";
export { TrainingError, type TrainingErrorCode } from "./errors.ts";
export {
  createEvaluator,
  type Evaluation,
  type Evaluator,
  type EvaluatorParameters,
  evaluateModel,
} from "./evaluate/evaluateModel.ts";
export { packBaseWeights } from "./huggingface/baseWeights.ts";
export { type BertSizes, readBertConfig } from "./huggingface/bertConfig.ts";
export { exportAdapter, exportConfig, exportMerged } from "./huggingface/exportAdapter.ts";
export { importAdapter } from "./huggingface/importAdapter.ts";
export { createTextTokenizer, type TextTokenizer } from "./huggingface/textTokenizer.ts";
export type { Layout, LayoutEntry } from "./models/layout.ts";
export { adamw } from "./optimizer/adamw.ts";
export { learningRate } from "./optimizer/learningRate.ts";
export { forwardGraph, type Weights } from "./predict/forwardGraph.ts";
export { generate } from "./predict/generate.ts";
export { type ClassPrediction, predict, predictWith } from "./predict/predict.ts";
export { buildGraphs, EVALUATION_BATCH, type Graphs } from "./program/buildGraphs.ts";
export { completeSpec, type JobSpecDraft } from "./program/completeSpec.ts";
export { createProgram, type Program, unitOf } from "./program/createProgram.ts";
export { defaultTraceInterval } from "./program/defaultTraceInterval.ts";
export { estimateResources } from "./program/estimateResources.ts";
export { auditInterval, type IntervalAudit, type IntervalFiles } from "./replay/auditInterval.ts";
export { drawDistinct } from "./replay/draw.ts";
export { type IntervalSizes, intervalSizes } from "./replay/intervalSizes.ts";
export { type ReplayReturnType, replay } from "./replay/replay.ts";
export { DISTANCE_LIMITS, type UpdateDistance, updateDistance, withinLimits } from "./replay/updateDistance.ts";
export type { Feeds, HostTensor, Runtime, Session } from "./runtimes/runtime.ts";
export { assertFinite } from "./state/assertFinite.ts";
export {
  checkpointBytes,
  checkpointMeta,
  checkpointPieces,
  decodeCheckpoint,
  encodeCheckpoint,
  readCheckpointMeta,
  stateHash,
} from "./state/checkpoint.ts";
export { initialState } from "./state/initialState.ts";
export { copyState, type TrainingState } from "./state/state.ts";
export {
  createTrainer,
  type StepResult,
  type Trainer,
  type TrainerParameters,
} from "./trainer/createTrainer.ts";
