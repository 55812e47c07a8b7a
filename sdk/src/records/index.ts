export { type BlobRef, blobRefSchema, hashSchema } from "./blobRef.ts";
export { concatBytes, fromHex, type Hex, toHex, uintToBytes } from "./bytes.ts";
export { canonicalJson } from "./canonicalJson.ts";
export { type CheckpointMeta, checkpointMetaSchema } from "./checkpointMeta.ts";
export { type Device, encodeDevice, parseDevice } from "./device.ts";
export { RecordError, type RecordErrorCode } from "./errors.ts";
export {
  checkJobSpec,
  encodeJobSpec,
  type JobSpec,
  jobSpecSchema,
  parseJobSpec,
  specHash,
  TEMPLATES,
  type Template,
} from "./jobSpec.ts";
export { FEE_BPS, type LiabilityTerms, maxLiability, SEATS } from "./maxLiability.ts";
export { keccak256, merkleProof, merkleRoot } from "./merkle.ts";
export {
  type BertLoraModel,
  type DecoderModel,
  type EncoderModel,
  type MlpModel,
  type ModelDescription,
  modelSchema,
} from "./model.ts";
export { providerList, providerProof, providersRoot } from "./providerList.ts";
export {
  type EventArg,
  parseRecording,
  RECORDING_VERSION,
  type Recording,
  type RecordingEntry,
  type RecordingInput,
  type RunReport,
  recordingSchema,
  runReportSchema,
} from "./recording.ts";
export { createSha256, type Sha256, sha256, sha256Async, sha256Hex } from "./sha256.ts";
export {
  contentDigest,
  decodeTrace,
  encodeTrace,
  type TraceLeaf,
  type TraceProof,
  traceProof,
  traceRoot,
  verifyTraceProof,
} from "./trace.ts";
export {
  evidenceHash,
  OUTCOME,
  type Outcome,
  type OutcomeName,
  type Prediction,
  predictionsRoot,
  SCORE_SCALE,
  toScore,
} from "./verdict.ts";
