// The ledger without a database: what `npm run audit` is made of.
export { applyEvent, eventNames } from "./applyEvent.ts";
export { Auditor, type Finding } from "./auditor.ts";
export { compareWithChain } from "./compareWithChain.ts";
export { type ContractName, EMPTY_DIGEST, type LedgerEvent, nextDigest, normalizeArgs } from "./events.ts";
export { type Invariant, invariants } from "./invariants.ts";
export { fingerprint, MemoryStore } from "./memoryStore.ts";
export { type LedgerContracts, readEvents } from "./readEvents.ts";
export { type Key, keys, keyText, type Row, type TableName, type Tables, tableNames } from "./tables.ts";
