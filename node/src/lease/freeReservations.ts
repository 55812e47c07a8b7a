import { contractAbis, type GpuchainClient, getLogsRange, isRevert, jobIdOf } from "@gpuchain/sdk/chain";
import type { Logger } from "@gpuchain/sdk/daemon";
import { type AbiEvent, type Address, getAbiItem } from "viem";
import type { Transactions } from "../chain/transactions.ts";

const LEASE = 0;
const FENCE_MASK = (1n << 32n) - 1n;

/**
 * Each lease reserves a part of the bond until its last checkpoint is decided and past appeal; then it is free for the asking. Asks for
 * whatever is due of this provider's, so that its bond backs new leases or can be taken out.
 *
 * @returns what is still reserved afterwards, in base units
 */
export async function freeReservations(
  client: GpuchainClient,
  address: Address,
  transactions: Pick<Transactions, "releaseBond">,
  log: Logger,
): Promise<bigint> {
  const reserved = async () => (await client.read.getAccount({ account: address })).reserved;
  if ((await reserved()) === 0n) return 0n;
  const { startBlock, contracts } = client.deployment;
  const ids = async (name: "BondReserved" | "BondReleased", args: Record<string, unknown>): Promise<bigint[]> => {
    const event = getAbiItem({ abi: contractAbis.escrow, name }) as AbiEvent;
    const filter = { event, args: { account: address, ...args } };
    const logs = await getLogsRange(client.public, { address: [contracts.escrow], fromBlock: startBlock, ...filter });
    // `id` is the last indexed argument of both.
    return logs.map(({ topics }) => BigInt(topics.at(-1) ?? 0));
  };
  const released = new Set(await ids("BondReleased", {}));
  for (const id of await ids("BondReserved", { kind: LEASE })) {
    if (released.has(id)) continue;
    const [job, fence] = [jobIdOf(id), id & FENCE_MASK];
    try {
      await transactions.releaseBond(job, fence);
      log.info({ event: "bond.freed", job: String(job), fence: String(fence) }, "a lease's part of the bond is free");
    } catch (error) {
      // Still judged or open to appeal, or all of it went to the judges of a refusal.
      if (!isRevert(error)) throw error;
      log.debug({ err: error, job: String(job), fence: String(fence) }, "a lease's part of the bond is not due yet");
    }
  }
  return reserved();
}
