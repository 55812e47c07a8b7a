/** How far the ledger has got and what its own audit says, as Status shows it. */
export interface LedgerStatus {
  readonly block?: number;
  readonly blocksBehind?: number;
  readonly secondsBehind?: number;
  readonly audit?: string;
  readonly problem?: string;
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
const whole = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** The answer of `/api/status`. A stranger may run the ledger: what is no such answer is said to be none. */
export function readLedgerStatus(body: unknown): LedgerStatus {
  const indexed = field(body, "indexed");
  const block = indexed === null ? 0 : whole(field(indexed, "block"));
  if (block === undefined) return { problem: "what it says of itself makes no sense" };
  const lag = field(body, "lag");
  const [blocksBehind, secondsBehind] = [whole(field(lag, "blocks")), whole(field(lag, "seconds"))];
  const audit = field(body, "audit");
  const [ok, at] = [field(audit, "ok"), whole(field(audit, "block"))];
  return {
    block,
    ...(blocksBehind !== undefined && secondsBehind !== undefined && { blocksBehind, secondsBehind }),
    ...(ok === true && at !== undefined && { audit: `Its own audit against the chain holds, at block ${at}.` }),
    ...(ok === false && { audit: "Its own audit FAILS: trust the chain, not this ledger." }),
  };
}
