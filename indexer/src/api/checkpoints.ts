import { db } from "ponder:api";
import { sql } from "ponder";

/** A point the indexer has reached. */
export interface Reached {
  block: number;
  timestamp: number;
}

/** Ponder's own position: what is visible, and what can no longer be undone. Undefined before the first block. */
export async function positions(): Promise<{ indexed: Reached; finalized: Reached } | undefined> {
  const { rows } = await db.execute(sql`SELECT latest_checkpoint, finalized_checkpoint FROM _ponder_checkpoint`);
  const row = rows[0] as { latest_checkpoint: string; finalized_checkpoint: string } | undefined;
  return row && { indexed: decode(row.latest_checkpoint), finalized: decode(row.finalized_checkpoint) };
}

/** Ponder's checkpoints are digits: 10 of timestamp, 16 of chain id, 16 of block number, and finer order after that. */
function decode(checkpoint: string): Reached {
  return { timestamp: Number(checkpoint.slice(0, 10)), block: Number(checkpoint.slice(26, 42)) };
}
