// @ts-nocheck: Ponder's types are those of the ledger's own schema.
import { ponder } from "ponder:registry";
import schema from "ponder:schema";
import { courtAbi, escrowAbi, jobsAbi, registryAbi } from "../../ledger/abi.ts";

for (const [contract, abi] of Object.entries({
  Jobs: jobsAbi,
  Escrow: escrowAbi,
  Registry: registryAbi,
  Court: courtAbi,
})) {
  for (const { type, name } of abi) {
    if (type !== "event") continue;
    ponder.on(`${contract}:${name}`, async ({ event, context }) => {
      const { id, block, transaction } = event;
      const row = { id, name, block: block.number, timestamp: block.timestamp, txHash: transaction.hash };
      await context.db.insert(schema.entry).values(row);
    });
  }
}
