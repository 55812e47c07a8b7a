import { publicClients } from "ponder:api";
import { escrowAbi } from "../../ledger/abi.ts";
import { runtime } from "./runtime.ts";

/** Chain answers older than this are asked for anew. */
const FRESH_MS = 1_000;

export interface ChainHead {
  number: number;
  timestamp: number;
  /** the deployment's first block is another one than at start: the chain was re-created */
  replaced: boolean;
}

let cached: { at: number; head: Promise<ChainHead> } | undefined;

/** The chain's newest block, at most a second old. Rejects when the RPC does not answer. */
export function chainHead(): Promise<ChainHead> {
  if (cached && Date.now() - cached.at < FRESH_MS) return cached.head;
  const head = readHead();
  cached = { at: Date.now(), head };
  head.catch(() => {
    cached = undefined;
  });
  return head;
}

async function readHead(): Promise<ChainHead> {
  const { settings, anchorHash } = runtime();
  const client = publicClients.gpuchain;
  const [latest, anchor] = await Promise.all([
    client.getBlock({ blockTag: "latest" }),
    client
      .getBlock({ blockNumber: BigInt(settings.deployment.startBlock) })
      .then(({ hash }) => hash)
      .catch(() => undefined),
  ]);
  return { number: Number(latest.number), timestamp: Number(latest.timestamp), replaced: anchor !== anchorHash };
}

/** What the escrow holds and owes, at a block. */
export async function contractReserves(block: number): Promise<{ held: bigint; owed: bigint }> {
  const [held, owed] = await publicClients.gpuchain.readContract({
    ...{ abi: escrowAbi, address: runtime().settings.deployment.contracts.escrow, functionName: "reserves" },
    blockNumber: BigInt(block),
  });
  return { held, owed };
}
