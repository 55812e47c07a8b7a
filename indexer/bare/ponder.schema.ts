import { onchainTable } from "ponder";

export const entry = onchainTable("entry", (p) => ({
  id: p.text().primaryKey(),
  name: p.text().notNull(),
  block: p.bigint().notNull(),
  timestamp: p.bigint().notNull(),
  txHash: p.hex().notNull(),
}));
