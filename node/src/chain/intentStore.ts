import type { IntentRecord, IntentStore } from "@gpuchain/sdk/chain";
import type { Journal } from "@gpuchain/sdk/daemon";

const MIGRATIONS = [
  `CREATE TABLE intents (
     chain INTEGER NOT NULL, account TEXT NOT NULL, intent TEXT NOT NULL, nonce INTEGER NOT NULL, status TEXT NOT NULL,
     record TEXT NOT NULL,
     PRIMARY KEY (chain, account, intent)
   ) STRICT;
   CREATE INDEX intents_unsettled ON intents (chain, account, nonce) WHERE status IN ('open', 'mined');`,
];

/** The sender's intents in the journal: on disk before anything is signed, and again before anything is sent. */
export function createJournalIntentStore(journal: Journal): IntentStore {
  journal.migrate("intents", MIGRATIONS);
  return {
    get(chainId, account, intent) {
      const row = journal.get<{ record: string }>(
        "SELECT record FROM intents WHERE chain = ? AND account = ? AND intent = ?",
        chainId,
        account.toLowerCase(),
        intent,
      );
      return row === undefined ? undefined : decode(row.record);
    },
    put(record) {
      journal.run(
        `INSERT INTO intents (chain, account, intent, nonce, status, record) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (chain, account, intent)
         DO UPDATE SET nonce = excluded.nonce, status = excluded.status, record = excluded.record`,
        record.chainId,
        record.account.toLowerCase(),
        record.intent,
        record.nonce,
        record.status,
        encode(record),
      );
    },
    unsettled: (chainId, account) =>
      journal
        .all<{ record: string }>(
          "SELECT record FROM intents WHERE chain = ? AND account = ? AND status IN ('open', 'mined') ORDER BY nonce",
          chainId,
          account.toLowerCase(),
        )
        .map((row) => decode(row.record)),
  };
}

const BIGINTS = new Set(["value", "blockNumber", "maxFeePerGas", "maxPriorityFeePerGas", "gas"]);
const encode = (record: IntentRecord): string =>
  JSON.stringify(record, (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
const decode = (text: string): IntentRecord =>
  JSON.parse(text, (key, value: unknown) =>
    BIGINTS.has(key) && typeof value === "string" ? BigInt(value) : value,
  ) as IntentRecord;
