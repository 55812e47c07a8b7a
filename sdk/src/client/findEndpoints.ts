import type { Address, Hex } from "viem";
import { type GpuchainClient, getSeats, type JobTerms, listVerifiers } from "../chain/index.ts";

export interface Endpoint {
  verifier: Address;
  url: string;
  /** What keys of sealed data are sealed to. */
  encryptionKey: Hex;
}

/**
 * Gateways that may hold a job's bytes: the job's seats once drawn, else every verifier that could be drawn for its terms,
 * else every active one.
 *
 * @example
 * const seats = await findEndpoints(client, { jobId: 1n });
 */
export async function findEndpoints(
  client: GpuchainClient,
  job: { jobId?: bigint; terms?: Pick<JobTerms, "templateId" | "verifierFee"> } = {},
): Promise<Endpoint[]> {
  const [verifiers, seats] = await Promise.all([
    listVerifiers(client),
    job.jobId === undefined ? undefined : getSeats(client, { jobId: job.jobId }),
  ]);
  const seated = seats?.drawn ? new Set(seats.seats.map(({ verifier }) => verifier.toLowerCase())) : undefined;
  return verifiers
    .filter((one) => {
      if (seated !== undefined) return seated.has(one.account.toLowerCase());
      if (one.status !== "Active") return false;
      if (job.terms === undefined) return true;
      return ((one.templateMask >> job.terms.templateId) & 1) === 1 && one.minFee <= job.terms.verifierFee;
    })
    .map(({ account, endpoint, encryptionKey }) => ({ verifier: account, url: endpoint, encryptionKey }));
}
