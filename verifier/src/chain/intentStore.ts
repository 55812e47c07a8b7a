import type { IntentRecord, IntentStore } from "@gpuchain/sdk/chain";
import type { Journal } from "@gpuchain/sdk/daemon";

const MIGRATIONS = [
  `CREATE TABLE intent (
     chain INTEGER NOT NULL, account TEXT NOT NULL, intent TEXT NOT NULL, nonce INTEGER NOT NULL, status TEXT NOT NULL,
     record TEXT NOT NULL,
     PRIMARY KEY (chain, account, intent)
   ) STRICT;
   CREATE INDEX intent_unsettled ON intent (chain, account, nonce) WHERE status IN ('open', 'mined');`,
];

/** Fields of a record that JSON would lose. */
const BIGINTS = new Set(["value", "blockNumber", "maxFeePerGas", "maxPriorityFeePerGas", "gas"]);

const write = (record: IntentRecord): string =>
  JSON.stringify(record, (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
const read = (text: string): IntentRecord =>
  JSON.parse(text, (key, value: unknown) => (BIGINTS.has(key) && typeof value === "string" ? BigInt(value) : value));

/** The sender's intents, durable in the journal before anything is signed. */
export function createIntentStore(journal: Journal): IntentStore {
  journal.migrate("intents", MIGRATIONS);
  return {
    get(chainId, account, intent) {
      const row = journal.get<{ record: string }>(
        "SELECT record FROM intent WHERE chain = ? AND account = ? AND intent = ?",
        chainId,
        account.toLowerCase(),
        intent,
      );
      return row && read(row.record);
    },
    put(record) {
      journal.run(
        `INSERT INTO intent (chain, account, intent, nonce, status, record) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (chain, account, intent) DO UPDATE SET nonce = excluded.nonce, status = excluded.status, record = excluded.record`,
        record.chainId,
        record.account.toLowerCase(),
        record.intent,
        record.nonce,
        record.status,
        write(record),
      );
    },
    unsettled: (chainId, account) =>
      journal
        .all<{ record: string }>(
          "SELECT record FROM intent WHERE chain = ? AND account = ? AND status IN ('open', 'mined') ORDER BY nonce",
          chainId,
          account.toLowerCase(),
        )
        .map((row) => read(row.record)),
  };
}
