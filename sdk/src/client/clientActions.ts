import type { Account, Client, LocalAccount } from "viem";
import {
  type ChainLog,
  createGpuchainClient,
  createMemoryIntentStore,
  createSender,
  type Deployment,
  type IntentStore,
} from "../chain/index.ts";
import { GpuchainError } from "../daemon/errors.ts";
import { cancelJob } from "./cancelJob.ts";
import type { ClientContext } from "./clientContext.ts";
import { disputeJob } from "./disputeJob.ts";
import { estimateJob } from "./estimateJob.ts";
import { faucet } from "./faucet.ts";
import { fetchCheckpoint } from "./fetchCheckpoint.ts";
import { postJob } from "./postJob.ts";
import { verifyCheckpoint } from "./verifyCheckpoint.ts";
import { watchJob } from "./watchJob.ts";
import { withdraw } from "./withdraw.ts";

export interface GpuchainClientActionsParameters {
  deployment: Deployment;
  /** Where transactions under way are kept; a journal survives a crash of the process. Default: in memory. */
  intents?: IntentStore;
  /** Ends what is under way. */
  signal?: AbortSignal;
  log?: ChainLog;
}

/** Actions that take a key: bound to the viem client's account. */
const withKey = { postJob, cancelJob, disputeJob, withdraw, faucet };
/** Actions that read. */
const reading = { estimateJob, fetchCheckpoint, verifyCheckpoint, watchJob };

type WithKey<Action> = Action extends (context: ClientContext, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;
type Reading<Action> = Action extends (parameters: infer Parameters) => infer Result
  ? (parameters: Omit<Parameters, "client">) => Result
  : never;

/** What `gpuchainClientActions` adds to a viem client. */
export type GpuchainClientActions = { readonly [Name in keyof typeof withKey]: WithKey<(typeof withKey)[Name]> } & {
  readonly [Name in keyof typeof reading]: Reading<(typeof reading)[Name]>;
};

const ignore = () => undefined;
const noLog: ChainLog = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * What a client of GPUChain does, for any viem client: posting, watching, fetching, disputing, withdrawing. Those that send need a local
 * account on the viem client (ACCOUNT_NOT_LOCAL): what is signed is written down before it is sent.
 *
 * @example
 * const viemClient = createWalletClient({ account, transport: http(rpc) })
 *   .extend(gpuchainActions(deployment))
 *   .extend(gpuchainClientActions({ deployment }));
 * const { jobId } = await viemClient.postJob({ spec, blobs, terms: { maxPricePerStep: parseUsdc("0.003") } });
 * for await (const update of viemClient.watchJob({ jobId, signal })) console.log(update.type);
 */
export function gpuchainClientActions(
  parameters: GpuchainClientActionsParameters,
): (client: Client) => GpuchainClientActions {
  const { deployment, intents = createMemoryIntentStore(), log = noLog, signal } = parameters;
  return (viemClient) => {
    const ending = signal && { signal };
    const client = createGpuchainClient({ client: viemClient, deployment, log, ...ending });
    let context: ClientContext | undefined;
    const contextOf = (): ClientContext => {
      if (context !== undefined) return context;
      const account = localAccount(viemClient.account);
      const sender = createSender({ client, account, intents, log, ...ending });
      context = { client, account, sender, log, ...ending };
      return context;
    };
    const bind = <Action>(actions: Record<string, Action>, call: (action: Action) => unknown) =>
      Object.entries(actions).map(([name, action]) => [name, call(action)]);
    return Object.fromEntries([
      ...bind<unknown>(withKey, (action) => (...rest: unknown[]) => {
        return (action as (context: ClientContext, ...rest: unknown[]) => unknown)(contextOf(), ...rest);
      }),
      ...bind<unknown>(reading, (action) => (given: object) => {
        return (action as (parameters: object) => unknown)({ ...given, client });
      }),
    ]) as unknown as GpuchainClientActions;
  };
}

function localAccount(account: Account | undefined): LocalAccount {
  if (account?.type === "local") return account as LocalAccount;
  throw new GpuchainError("ACCOUNT_NOT_LOCAL", "this action needs a viem client with a local account", {
    hint: "createWalletClient({ account: privateKeyToAccount(key), transport })",
  });
}
