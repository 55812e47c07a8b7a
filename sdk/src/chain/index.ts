export {
  type CanAcquireParameters,
  type CanAcquireReturnType,
  canAcquire,
  foreverUntil,
} from "./actions/canAcquire.ts";
export { type GetAccountParameters, type GetAccountReturnType, getAccount } from "./actions/getAccount.ts";
export { type GetBudgetParameters, type GetBudgetReturnType, getBudget } from "./actions/getBudget.ts";
export { type GetChallengeParameters, type GetChallengeReturnType, getChallenge } from "./actions/getChallenge.ts";
export {
  type GetCheckpointParameters,
  type GetCheckpointReturnType,
  getCheckpoint,
  type Vote,
} from "./actions/getCheckpoint.ts";
export {
  type GetCheckpointsParameters,
  type GetCheckpointsReturnType,
  getCheckpoints,
} from "./actions/getCheckpoints.ts";
export { type GetCommitParameters, type GetCommitReturnType, getCommit } from "./actions/getCommit.ts";
export { type GetJobParameters, type GetJobReturnType, getJob, type JobTerms } from "./actions/getJob.ts";
export { type GetJobCountParameters, getJobCount } from "./actions/getJobCount.ts";
export { type GetLeaseParameters, type GetLeaseReturnType, getLease } from "./actions/getLease.ts";
export { type GetLimitsParameters, type GetLimitsReturnType, getLimits } from "./actions/getLimits.ts";
export { type GetMaxLiabilityParameters, getMaxLiability } from "./actions/getMaxLiability.ts";
export { type GetNextStepParameters, getNextStep } from "./actions/getNextStep.ts";
export { type GetOwedToParameters, getOwedTo } from "./actions/getOwedTo.ts";
export {
  type GetPayOutStatusParameters,
  type GetPayOutStatusReturnType,
  getPayOutStatus,
} from "./actions/getPayOutStatus.ts";
export { type GetPriceCeilingParameters, getPriceCeiling } from "./actions/getPriceCeiling.ts";
export { type GetProviderParameters, type GetProviderReturnType, getProvider } from "./actions/getProvider.ts";
export { type GetQueueParameters, type GetQueueReturnType, getQueue } from "./actions/getQueue.ts";
export { type GetReservesParameters, type GetReservesReturnType, getReserves } from "./actions/getReserves.ts";
export { type GetSeatsParameters, type GetSeatsReturnType, getSeats } from "./actions/getSeats.ts";
export { type GetTemplateParameters, type GetTemplateReturnType, getTemplate } from "./actions/getTemplate.ts";
export { type GetUsdcBalanceParameters, getUsdcBalance } from "./actions/getUsdcBalance.ts";
export { type GetVerifierParameters, type GetVerifierReturnType, getVerifier } from "./actions/getVerifier.ts";
export { type IsClosableParameters, isClosable } from "./actions/isClosable.ts";
export { type ListJobsParameters, type ListJobsReturnType, listJobs } from "./actions/listJobs.ts";
export { type ListProvidersParameters, type ListProvidersReturnType, listProviders } from "./actions/listProviders.ts";
export { type ListTemplatesParameters, type ListTemplatesReturnType, listTemplates } from "./actions/listTemplates.ts";
export { type ListVerifiersParameters, type ListVerifiersReturnType, listVerifiers } from "./actions/listVerifiers.ts";
export { assertDeployment, assertProtocolVersion } from "./assertDeployment.ts";
export { assertDeploymentAt } from "./assertDeploymentAt.ts";
export {
  createGpuchainClient,
  type GpuchainClient,
  type GpuchainClientParameters,
  type GpuchainClientSettings,
} from "./client.ts";
export {
  type ContractErrorData,
  decodeContractError,
  fromContractError,
  isRevert,
  jobNotFound,
} from "./contractErrors.ts";
export {
  type Deployment,
  type DeploymentContracts,
  loadDeployment,
  PROTOCOL_VERSION,
  parseDeployment,
} from "./deployment.ts";
export * from "./enums.ts";
export { createEventFeed, type EventFeedParameters } from "./eventFeed.ts";
export type { EventFeed, FeedBlock, FeedItem, FeedReorg } from "./eventFeedTypes.ts";
export {
  decodeEvent,
  type EventContract,
  type GpuchainEvent,
  type GpuchainEventArgs,
  type GpuchainEventName,
  protocolAbi,
} from "./events.ts";
export * from "./generated/index.ts";
export { getLogsRange } from "./getLogsRange.ts";
export { type GpuchainActions, gpuchainActions } from "./gpuchainActions.ts";
export type { Head, Heads } from "./heads.ts";
export { checkpointIdOf, checkpointIndexOf, genesisIdOf, jobIdOf } from "./ids.ts";
export { type AtBlock, type ChainReader, contractAbis, read } from "./reader.ts";
export type { Reads } from "./reads.ts";
export { isPassing, isRateLimit, shortMessage } from "./rpcErrors.ts";
export {
  createMemoryIntentStore,
  type IntentRecord,
  type IntentStatus,
  type IntentStore,
  type IntentVersion,
} from "./sender/intents.ts";
export { createSender, type SenderParameters } from "./sender/sender.ts";
export type { ChainLog, Sender, SendParameters, SendResult } from "./sender/types.ts";
export {
  type CompactSignature,
  contentDigestOf,
  type Eviction,
  evidenceHashOf,
  recoverEviction,
  recoverVerdict,
  type SignedEviction,
  type SignedVerdict,
  signEviction,
  signVerdict,
  type Verdict,
} from "./signVerdict.ts";
export { evictionTypes, jobsDomain, verdictTypes } from "./typedData.ts";
export { eventArgs, eventsOf, type WriteOptions, type WriteResult, write } from "./write.ts";
