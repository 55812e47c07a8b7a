import { type GpuchainClient, jobsAbi, listJobs } from "@gpuchain/sdk/chain";
import { type Address, isAddressEqual } from "viem";

/**
 * Jobs on which a verifier holds up its own exit though its seat is over: settled ones, and ones on which another took the seat.
 * Reads every job: for a command that is run once.
 */
export async function seatsToGiveBack(client: GpuchainClient, verifier: Address): Promise<bigint[]> {
  const found: bigint[] = [];
  const jobs = { address: client.deployment.contracts.jobs, abi: jobsAbi } as const;
  for (const { jobId, status } of await listJobs(client)) {
    const { memberCount, seats } = await client.public.readContract({
      ...jobs,
      functionName: "panelOf",
      args: [jobId],
    });
    for (let index = 0; index < memberCount; index++) {
      const member = await client.public.readContract({
        ...jobs,
        functionName: "memberOf",
        args: [jobId, BigInt(index)],
      });
      const isOver = status === "Settled" || !seats.includes(index);
      if (isAddressEqual(member.verifier, verifier) && !member.left && isOver) found.push(jobId);
    }
  }
  return found;
}
