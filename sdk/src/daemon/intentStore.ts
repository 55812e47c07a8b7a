import type { IntentRecord, IntentStore } from "../chain/sender/intents.ts";
import type { Journal } from "./journal.ts";

const migrations = [
  `CREATE TABLE intents (
    chain_id INTEGER NOT NULL,
    account TEXT NOT NULL,
    intent TEXT NOT NULL,
    nonce INTEGER NOT NULL,
    status TEXT NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (chain_id, account, intent)
  );
  CREATE INDEX intents_unsettled ON intents (chain_id, account, nonce) WHERE status IN ('open', 'mined');`,
];

/** The sender's intents in a daemon's journal: each `put` is on disk when it returns. */
export function createJournalIntentStore(journal: Journal): IntentStore {
  journal.migrate("intents", migrations);
  const parse = (text: unknown) => JSON.parse(String(text), revive) as IntentRecord;
  return {
    get(chainId, account, intent) {
      const sql = "SELECT record FROM intents WHERE chain_id = ? AND account = ? AND intent = ?";
      const row = journal.get(sql, chainId, account.toLowerCase(), intent);
      return row === undefined ? undefined : parse(row.record);
    },
    put(record) {
      const { chainId, account, intent, nonce, status } = record;
      journal.run(
        `INSERT INTO intents (chain_id, account, intent, nonce, status, record) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (chain_id, account, intent) DO UPDATE
         SET nonce = excluded.nonce, status = excluded.status, record = excluded.record`,
        ...[chainId, account.toLowerCase(), intent, nonce, status, JSON.stringify(record, replace)],
      );
    },
    unsettled(chainId, account) {
      const sql =
        "SELECT record FROM intents WHERE chain_id = ? AND account = ? AND status IN ('open', 'mined') ORDER BY nonce";
      return journal.all(sql, chainId, account.toLowerCase()).map((row) => parse(row.record));
    },
  };
}

/** JSON has no bigint: they are written as `{"$bigint": "123"}`. */
function replace(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? { $bigint: value.toString() } : value;
}

function revive(_key: string, value: unknown): unknown {
  const tagged = typeof value === "object" && value !== null && "$bigint" in value ? value.$bigint : undefined;
  return typeof tagged === "string" ? BigInt(tagged) : value;
}
