export { type CancelJobParameters, type CancelJobReturnType, cancelJob } from "./cancelJob.ts";
export {
  type GpuchainClientActions,
  type GpuchainClientActionsParameters,
  gpuchainClientActions,
} from "./clientActions.ts";
export type { ClientContext } from "./clientContext.ts";
export { type DisputeJobParameters, type DisputeJobReturnType, disputeJob } from "./disputeJob.ts";
export { type EstimateJobParameters, type EstimateJobReturnType, estimateJob } from "./estimateJob.ts";
export { type FaucetParameters, type FaucetReturnType, faucet } from "./faucet.ts";
export {
  type FetchCheckpointParameters,
  type FetchCheckpointReturnType,
  fetchCheckpoint,
  fetchOwnBlob,
  fetchPublicBlob,
  fetchSpec,
} from "./fetchCheckpoint.ts";
export { type FetchTelemetryParameters, type FetchTelemetryReturnType, fetchTelemetry } from "./fetchTelemetry.ts";
export { type Endpoint, findEndpoints } from "./findEndpoints.ts";
export type { LedgerMoney } from "./followLedger.ts";
export type { HandOver, StepUpdate } from "./followSteps.ts";
export { jobHistory, jobOfEvent, postingBlock } from "./jobHistory.ts";
export { type JobTermsInput, type JobTermsParameters, jobTerms, worstCase } from "./jobTerms.ts";
export { type MeasuredSpeedParameters, measuredSpeed } from "./measuredSpeed.ts";
export { type JobMoney, moneyOf } from "./moneyOf.ts";
export { blobRefs } from "./namedBlobs.ts";
export { type Permit, signPermit } from "./permit.ts";
export { type PostJobParameters, type PostJobProgress, type PostJobReturnType, postJob } from "./postJob.ts";
export { type SealedJob, sealJob } from "./sealJob.ts";
export { type UploadBlobsParameters, type UploadBlobsReturnType, uploadBlobs } from "./uploadBlobs.ts";
export {
  type VerifyCheckpointParameters,
  type VerifyCheckpointReturnType,
  verifyCheckpoint,
} from "./verifyCheckpoint.ts";
export { type JobUpdate, type WatchJobParameters, watchJob } from "./watchJob.ts";
export { type WithdrawParameters, type WithdrawReturnType, withdraw } from "./withdraw.ts";
