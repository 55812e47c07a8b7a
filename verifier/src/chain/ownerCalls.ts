import { contractAbis, type GpuchainClient, type Sender, type SendResult } from "@gpuchain/sdk/chain";
import type { Address } from "viem";

/** What a verifier's owner sends by hand; the running daemon's calls are in `transactions.ts`. */
export interface OwnerCalls {
  addBond(account: Address, amount: bigint): Promise<SendResult>;
  requestExit(): Promise<SendResult>;
  releaseSeats(jobId: bigint): Promise<SendResult>;
  withdrawBond(): Promise<SendResult>;
  withdraw(to: Address): Promise<SendResult>;
}

export function createOwnerCalls(client: GpuchainClient, sender: Sender): OwnerCalls {
  const { contracts } = client.deployment;
  const call = (contract: keyof typeof contractAbis, functionName: string, args: readonly unknown[]) =>
    sender.send({
      // A command is typed anew by a person each time it is meant.
      intent: `${functionName}:${Date.now()}:${args.join(":")}`,
      address: contracts[contract],
      abi: contractAbis[contract],
      functionName,
      args,
    });
  return {
    async addBond(account, amount) {
      await call("usdc", "approve", [contracts.escrow, amount]);
      return call("registry", "depositBond", [account, amount]);
    },
    requestExit: () => call("registry", "requestExit", []),
    releaseSeats: (jobId) => call("jobs", "releaseSeats", [jobId]),
    withdrawBond: () => call("registry", "withdrawBond", []),
    withdraw: (to) => call("escrow", "withdraw", [to]),
  };
}
