// Hands every event of the four contracts to the ledger. What an event means is in ledger/handlers, shared with the audit.
import { ponder } from "ponder:registry";
import { applyEvent, eventNames } from "../ledger/applyEvent.ts";
import { type ContractName, normalizeArgs } from "../ledger/events.ts";
import { createPonderStore } from "./ponderStore.ts";

const contracts: ContractName[] = ["Jobs", "Escrow", "Registry", "Court"];

for (const contract of contracts) {
  for (const name of eventNames(contract)) {
    // The names are data here; `Handlers` in ledger/ already makes a missing event a compile error.
    const source = `${contract}:${name}` as "Jobs:JobPosted";
    ponder.on(source, async ({ event, context }) => {
      const { block, transaction, log } = event;
      await applyEvent(createPonderStore(context.db), {
        contract,
        name,
        args: normalizeArgs(event.args),
        block: { number: Number(block.number), timestamp: Number(block.timestamp), hash: block.hash },
        transaction: { hash: transaction.hash, from: transaction.from },
        log: {
          index: log.logIndex,
          address: log.address,
          topics: log.topics.filter((topic) => topic !== null),
          data: log.data,
        },
      });
    });
  }
}
