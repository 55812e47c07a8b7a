import { chainHead } from "./chain.ts";
import { positions, type Reached } from "./checkpoints.ts";
import type { LiveHub } from "./live.ts";
import { runtime } from "./runtime.ts";

/** More blocks behind than this, for a ledger that says it is live, is worth a word. */
const BEHIND_BLOCKS = 2;

export interface Status {
  version: string;
  protocolVersion: number;
  chainId: number;
  contracts: Record<string, string>;
  schema: string;
  database: "pglite" | "postgres";
  /** `starting`, `live`, `behind`, `chain unreachable`, `chain replaced` */
  state: string;
  /** what it shows is not the chain's present */
  behind: boolean;
  chain: Reached | null;
  indexed: Reached | null;
  finalized: Reached | null;
  lag: { blocks: number; seconds: number } | null;
  uptimeSeconds: number;
}

/** Where chain and ledger stand, and how far apart. Never throws for a silent chain: that is a status too. */
export async function readStatus(hub: Pick<LiveHub, "isLive">): Promise<Status> {
  const { version, settings, schema, startedAt } = runtime();
  const [chain, reached] = await Promise.all([chainHead().catch(() => undefined), positions()]);
  const head = chain && { block: chain.number, timestamp: chain.timestamp };
  const indexed = reached?.indexed;
  const lag =
    head && indexed
      ? { blocks: Math.max(0, head.block - indexed.block), seconds: Math.max(0, head.timestamp - indexed.timestamp) }
      : null;
  const replaced =
    chain?.replaced === true || (head !== undefined && indexed !== undefined && head.block < indexed.block);
  const state =
    !indexed || !hub.isLive()
      ? "starting"
      : !chain
        ? "chain unreachable"
        : replaced
          ? "chain replaced"
          : lag && lag.blocks > BEHIND_BLOCKS
            ? "behind"
            : "live";
  const { protocolVersion, chainId, contracts } = settings.deployment;
  return {
    ...{ version, protocolVersion, chainId, contracts, schema, state, behind: state !== "live", lag },
    database: settings.databaseUrl ? "postgres" : "pglite",
    chain: head ?? null,
    indexed: indexed ?? null,
    finalized: reached?.finalized ?? null,
    uptimeSeconds: Math.floor((Date.now() - startedAt) / 1000),
  };
}
