import {
  contractAbis,
  type GpuchainClient,
  type Sender,
  type SendParameters,
  type SendResult,
} from "@gpuchain/sdk/chain";
import { GpuchainError, isGpuchainError } from "@gpuchain/sdk/daemon";
import type { Hex } from "@gpuchain/sdk/records";
import { type Address, decodeEventLog } from "viem";
import { assertServable } from "./gasNeeds.ts";
import type { JobView } from "./jobView.ts";

/** A commit as the chain takes it. */
export interface CommitCall {
  readonly job: bigint;
  readonly fence: bigint;
  /** 0 is genesis */
  readonly parentId: bigint;
  readonly step: number;
  readonly stateHash: Hex;
  readonly traceRoot: Hex;
  readonly release: boolean;
  /** chain time after which the lease is over and the commit pointless */
  readonly deadline: number;
}

/** Every transaction this node sends, each under an intent that names what is to happen once. */
export interface Transactions {
  /** @throws GpuchainError `GAS_LOW` when the native coin here does not pay for serving the lease, `GAS_OVER_PAY` when the lease does not */
  assertAffordable(job: JobView, price: bigint): Promise<void>;
  /**
   * Tries to take the lease in a block of at least the given timestamp.
   *
   * @param eligibility Merkle proof for a job with named providers; empty for others
   */
  acquire(job: JobView, eligibility: readonly Hex[], atTimestamp: number, attempt: number): Promise<void>;
  commit(call: CommitCall): Promise<{ id: bigint; block: bigint }>;
  renew(job: JobView): Promise<void>;
  release(job: JobView): Promise<void>;
  seatCommittee(job: bigint, block: bigint): Promise<void>;
  setAccepting(accepting: boolean, nonce: string): Promise<void>;
  withdraw(to: Address, nonce: string): Promise<SendResult>;
  /** Frees what an ended lease still holds of the bond; reverts `BondStillDue` before its time. */
  releaseBond(job: bigint, fence: bigint): Promise<void>;
  /** Leaves the registry: no lease from now on, the bond is free after the unbonding time. */
  requestExit(nonce: string): Promise<void>;
  /** Makes the bond claimable by the payout wallet. */
  withdrawBond(nonce: string): Promise<void>;
}

type JobsCall = "acquireLease" | "commitCheckpoint" | "renewLease" | "releaseLease" | "seatCommittee" | "releaseBond";

/** Gas limits: generous, because they only cap; what is not used is not paid. */
const GAS: Record<JobsCall, bigint> = {
  acquireLease: 600_000n,
  commitCheckpoint: 800_000n,
  renewLease: 200_000n,
  releaseLease: 600_000n,
  seatCommittee: 800_000n,
  releaseBond: 200_000n,
};

/** A commit whose call failed in its block for a reason that may pass is tried this often under a new intent. */
const MAX_ATTEMPTS = 5;

/** @param coinPrice USDC base units for one native coin, where the owner has told it */
export function createTransactions(client: GpuchainClient, sender: Sender, coinPrice?: bigint): Transactions {
  const { contracts } = client.deployment;
  const jobs = (
    functionName: JobsCall,
    args: readonly unknown[],
    intent: string,
    more: Pick<SendParameters, "deadline" | "simulate"> = {},
  ) =>
    sender.send({
      intent,
      address: contracts.jobs,
      abi: contractAbis.jobs,
      functionName,
      args,
      gas: GAS[functionName],
      ...more,
    });

  const registry = (functionName: "requestExit" | "withdrawBond", nonce: string) =>
    sender.send({
      intent: `${functionName}:${nonce}`,
      address: contracts.registry,
      abi: contractAbis.registry,
      functionName,
      args: [],
    });

  return {
    async assertAffordable(job, price) {
      const [balance, gasPrice] = await Promise.all([
        client.public.getBalance({ address: sender.address }),
        client.public.getGasPrice(),
      ]);
      assertServable(job, price, { address: sender.address, balance, gasPrice, coinPrice });
    },
    async acquire(job, eligibility, atTimestamp, attempt) {
      const next = job.lease.fence + 1n;
      // Some blocks later another fence, or a higher price, may be right: this one must not be mined then.
      await jobs("acquireLease", [job.id, eligibility], `acquire:${job.id}:${next}:${atTimestamp}:${attempt}`, {
        deadline: atTimestamp + Math.max(15, job.terms.auctionRamp),
        simulate: { atTimestamp: BigInt(atTimestamp) },
      });
    },
    async commit({ job, fence, parentId, step, stateHash, traceRoot, release, deadline }) {
      const args = [job, Number(fence), parentId, step, stateHash, traceRoot, release];
      for (let attempt = 0; ; attempt++) {
        const intent = `commit:${job}:${fence}:${parentId}:${step}:${stateHash}:${release ? "release" : "keep"}:${attempt}`;
        try {
          const { receipt } = await jobs("commitCheckpoint", args, intent, { deadline, simulate: "pending" });
          return { id: committedId(receipt.logs, contracts.jobs, stateHash), block: receipt.blockNumber };
        } catch (error) {
          if (attempt + 1 >= MAX_ATTEMPTS || !isGpuchainError(error, "REVERTED")) throw error;
          // Mined and failed: the queue was full in that very block. Anything else would fail again.
          if (error.data.errorName !== "QueueFull" || error.data.hash === undefined) throw error;
        }
      }
    },
    async renew({ id, lease }) {
      await jobs("renewLease", [id, Number(lease.fence)], `renew:${id}:${lease.fence}:${lease.expiresAt}`, {
        deadline: lease.expiresAt,
      });
    },
    async release({ id, lease }) {
      await jobs("releaseLease", [id, Number(lease.fence)], `release:${id}:${lease.fence}`, {
        deadline: lease.expiresAt,
      });
    },
    async seatCommittee(job, block) {
      await jobs("seatCommittee", [job], `seat:${job}:${block}`);
    },
    async releaseBond(job, fence) {
      await jobs("releaseBond", [job, Number(fence)], `release-bond:${job}:${fence}`);
    },
    async requestExit(nonce) {
      await registry("requestExit", nonce);
    },
    async withdrawBond(nonce) {
      await registry("withdrawBond", nonce);
    },
    async setAccepting(accepting, nonce) {
      await sender.send({
        intent: `accepting:${accepting}:${nonce}`,
        address: contracts.registry,
        abi: contractAbis.registry,
        functionName: "setAccepting",
        args: [accepting],
      });
    },
    withdraw: (to, nonce) =>
      sender.send({
        intent: `withdraw:${to}:${nonce}`,
        address: contracts.escrow,
        abi: contractAbis.escrow,
        functionName: "withdraw",
        args: [to],
      }),
  };
}

interface ReceiptLog {
  readonly address: string;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

function committedId(logs: readonly ReceiptLog[], jobs: Address, stateHash: Hex): bigint {
  for (const log of logs) {
    if (log.address.toLowerCase() !== jobs.toLowerCase()) continue;
    const event = decodeEventLog({
      abi: contractAbis.jobs,
      topics: log.topics as [Hex, ...Hex[]],
      data: log.data,
      strict: false,
    });
    if (event.eventName === "CheckpointCommitted" && event.args.stateHash === stateHash && event.args.checkpointId)
      return event.args.checkpointId;
  }
  throw new GpuchainError("COMMIT_WITHOUT_EVENT", "the commit was mined without its event", {
    hint: "the deployment's contracts are not those that this version knows",
  });
}
