import { GpuchainError } from "../../daemon/errors.ts";
import { shortMessage } from "../rpcErrors.ts";
import type { IntentRecord } from "./intents.ts";

/** Our nonce went to another transaction; the intent gets a new one. */
export class NonceLost extends Error {}

/** The nonce that an intent was refused with is in use; it waits until that transaction is mined. */
export class NonceHeld extends Error {
  readonly until: Promise<void>;

  constructor(settled: Promise<unknown>) {
    super("nonce held");
    const done = () => undefined;
    this.until = settled.then(done, done);
  }
}

export function expired(intent: string, data: Record<string, unknown> = {}): GpuchainError {
  return new GpuchainError("INTENT_EXPIRED", `"${intent}" was not mined in time and is given up`, {
    hint: "look at the state again before trying anew",
    data,
  });
}

export function refused(record: IntentRecord, error: unknown): GpuchainError {
  const poor = /insufficient funds/i.test(shortMessage(error));
  return new GpuchainError("INTENT_REFUSED", `"${record.intent}" was not taken: ${shortMessage(error)}`, {
    hint: poor ? `send some ether for gas to ${record.account}` : "see the message; nothing was sent",
    cause: error,
    retryable: poor,
  });
}

export function overCap(record: IntentRecord, error: unknown): GpuchainError {
  return new GpuchainError("INTENT_REFUSED", `"${record.intent}" was not sent: fees are above the cap`, {
    hint: "wait for fees to fall, or raise the cap",
    cause: error,
    retryable: true,
  });
}

export function receiptMissing(record: IntentRecord): GpuchainError {
  const text = `"${record.intent}" was mined in ${record.hash}, which this chain no longer knows`;
  return new GpuchainError("RECEIPT_MISSING", text, { hint: "check that the RPC serves the same chain as before" });
}
