import { canAcquire } from "./actions/canAcquire.ts";
import { getAccount } from "./actions/getAccount.ts";
import { getBudget } from "./actions/getBudget.ts";
import { getChallenge } from "./actions/getChallenge.ts";
import { getCheckpoint } from "./actions/getCheckpoint.ts";
import { getCheckpoints } from "./actions/getCheckpoints.ts";
import { getCommit } from "./actions/getCommit.ts";
import { getJob } from "./actions/getJob.ts";
import { getJobCount } from "./actions/getJobCount.ts";
import { getLease } from "./actions/getLease.ts";
import { getLimits } from "./actions/getLimits.ts";
import { getMaxLiability } from "./actions/getMaxLiability.ts";
import { getNextStep } from "./actions/getNextStep.ts";
import { getOwedTo } from "./actions/getOwedTo.ts";
import { getPayOutStatus } from "./actions/getPayOutStatus.ts";
import { getPriceCeiling } from "./actions/getPriceCeiling.ts";
import { getProvider } from "./actions/getProvider.ts";
import { getQueue } from "./actions/getQueue.ts";
import { getReserves } from "./actions/getReserves.ts";
import { getSeats } from "./actions/getSeats.ts";
import { getTemplate } from "./actions/getTemplate.ts";
import { getUsdcBalance } from "./actions/getUsdcBalance.ts";
import { getVerifier } from "./actions/getVerifier.ts";
import { isClosable } from "./actions/isClosable.ts";
import { listJobs } from "./actions/listJobs.ts";
import { listProviders } from "./actions/listProviders.ts";
import { listTemplates } from "./actions/listTemplates.ts";
import { listVerifiers } from "./actions/listVerifiers.ts";
import type { ChainReader } from "./reader.ts";

const actions = {
  canAcquire,
  getAccount,
  getBudget,
  getChallenge,
  getCheckpoint,
  getCheckpoints,
  getCommit,
  getJob,
  getJobCount,
  getLease,
  getLimits,
  getMaxLiability,
  getNextStep,
  getOwedTo,
  getPayOutStatus,
  getPriceCeiling,
  getProvider,
  getQueue,
  getReserves,
  getSeats,
  getTemplate,
  getUsdcBalance,
  getVerifier,
  isClosable,
  listJobs,
  listProviders,
  listTemplates,
  listVerifiers,
};

type Bound<Action> = Action extends (client: ChainReader, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** The read actions without their first argument. */
export type Reads = { readonly [Name in keyof typeof actions]: Bound<(typeof actions)[Name]> };

/** Binds every read action to a client. */
export function createReads(client: ChainReader): Reads {
  return Object.fromEntries(
    Object.entries(actions).map(([name, action]) => [
      name,
      (...rest: unknown[]) => (action as (...all: unknown[]) => unknown)(client, ...rest),
    ]),
  ) as unknown as Reads;
}
