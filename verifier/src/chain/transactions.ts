import { type Deployment, enumValue, jobsAbi, outcomes, type Sender, type SendResult } from "@gpuchain/sdk/chain";
import type { SignedEvictionMessage, SignedVerdictMessage } from "@gpuchain/sdk/gateway";

/** Everything a running verifier sends to the chain, and the only place that does. */
export interface Transactions {
  evictLease(jobId: bigint, fence: number, evictions: readonly SignedEvictionMessage[]): Promise<SendResult>;
  castVerdicts(checkpointId: bigint, verdicts: readonly SignedVerdictMessage[]): Promise<SendResult>;
  seatCommittee(jobId: bigint, anchorBlock: bigint): Promise<SendResult>;
  replaceSeat(jobId: bigint, seat: number, occasion: string): Promise<SendResult>;
  payOut(jobId: bigint, occasion: string): Promise<SendResult>;
  close(jobId: bigint): Promise<SendResult>;
  settleRefusal(checkpointId: bigint): Promise<SendResult>;
  releaseSeats(jobId: bigint): Promise<SendResult>;
}

const PAY_OUT_BATCH = 50n;

/**
 * Binds the calls to a sender. Each intent names what is to happen once, so that a restarted daemon does not send it again; an
 * `occasion` tells apart calls that may rightly happen more than once.
 */
export function createTransactions(sender: Sender, deployment: Deployment): Transactions {
  const send = (intent: string, functionName: string, args: readonly unknown[]) =>
    sender.send({ intent, address: deployment.contracts.jobs, abi: jobsAbi, functionName, args });
  return {
    evictLease: (jobId, fence, evictions) =>
      send(`evict:${jobId}:${fence}:${evictions.map(({ attestedAt }) => attestedAt).join(":")}`, "evictLease", [
        jobId,
        fence,
        evictions.map(({ attestedAt, r, vs }) => ({ attestedAt, r, vs })),
      ]),
    castVerdicts: (checkpointId, verdicts) =>
      // The content is part of the name: after a reorganisation the same id may hold other bytes.
      send(
        `cast:${checkpointId}:${verdicts.map(({ verifier, r }) => `${verifier}-${r.slice(2, 10)}`).join(":")}`,
        "castVerdicts",
        [
          checkpointId,
          verdicts.map(({ outcome, metTarget, score, evidenceHash, r, vs }) => ({
            outcome: enumValue(outcomes, outcome),
            metTarget,
            score,
            evidenceHash,
            r,
            vs,
          })),
        ],
      ),
    seatCommittee: (jobId, anchorBlock) => send(`seat:${jobId}:${anchorBlock}`, "seatCommittee", [jobId]),
    replaceSeat: (jobId, seat, occasion) => send(`replace:${jobId}:${seat}:${occasion}`, "replaceSeat", [jobId, seat]),
    payOut: (jobId, occasion) => send(`pay:${jobId}:${occasion}`, "payOut", [jobId, PAY_OUT_BATCH]),
    close: (jobId) => send(`close:${jobId}`, "close", [jobId]),
    settleRefusal: (checkpointId) => send(`settle:${checkpointId}`, "settleRefusal", [checkpointId]),
    releaseSeats: (jobId) => send(`release-seats:${jobId}`, "releaseSeats", [jobId]),
  };
}
