import { backoff, GpuchainError, type Logger, sleep } from "@gpuchain/sdk/daemon";
import { createHttpBlobStore, GatewayError } from "@gpuchain/sdk/gateway";
import { encodeTrace, sha256Hex } from "@gpuchain/sdk/records";
import type { CommitItem } from "../trainer/commitQueue.ts";
import type { Sessions } from "./sessions.ts";

/** Seats that must hold the bytes before a checkpoint is committed. */
export const STORED_BY = 2;

export interface StoreSegmentParameters {
  readonly job: bigint;
  readonly fence: bigint;
  readonly item: CommitItem;
  /** the checkpoint's bytes */
  readonly bytes: Uint8Array;
  /** gateways of the seats, asked anew before each try: a seat may be replaced */
  readonly endpoints: () => readonly string[];
  readonly sessions: Sessions;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** when a seat has everything */
  readonly onStored?: (endpoint: string) => void;
}

/** How long the last seat is tried once the others have everything: its bytes are held in memory meanwhile. It can fetch them from a peer. */
const LAST_SEAT_MS = 60_000;

/**
 * Uploads a checkpoint and its trace to every seat; resolves as soon as two have both, and lets the third upload run on. A seat that
 * cannot be reached is tried again until the signal aborts, or for a minute once two have both.
 *
 * @throws GpuchainError `SEATS_REFUSE` when two seats refuse for good (a stale fence, a full quota)
 */
export function storeSegment(parameters: StoreSegmentParameters): Promise<void> {
  const { job, fence, item, bytes, sessions, log } = parameters;
  const enough = new AbortController();
  const signal = AbortSignal.any([parameters.signal, enough.signal]);
  const trace = encodeTrace(item.leaves);
  const traceHash = sha256Hex(trace);
  return new Promise((resolve, reject) => {
    const under = new Map<string, Promise<void>>();
    const refusals = new Map<string, unknown>();
    let stored = 0;
    const poll = setInterval(() => begin(), 1_000);
    const settle = (finish: () => void) => {
      clearInterval(poll);
      signal.removeEventListener("abort", onAbort);
      finish();
    };
    const onAbort = () => settle(() => reject(signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });

    const upload = async (endpoint: string) => {
      const waits = backoff({ baseMs: 200, maxMs: 5_000 });
      for (;;) {
        try {
          const store = createHttpBlobStore(await sessions.get(endpoint), { job, fence });
          await store.put(trace, { sha256: traceHash, purpose: "trace", traceRoot: item.root, signal });
          await store.put(bytes, { sha256: item.state, purpose: "checkpoint", signal });
          return;
        } catch (error) {
          if (signal.aborted || isFinal(error)) throw error;
          const waitMs = waits.next();
          log.debug({ endpoint, err: error, waitMs, step: item.step }, "upload failed; trying again");
          await sleep(waitMs, signal);
        }
      }
    };
    const begin = () => {
      if (signal.aborted) return onAbort();
      for (const endpoint of parameters.endpoints()) {
        if (under.has(endpoint)) continue;
        const task = upload(endpoint).then(
          () => {
            stored++;
            parameters.onStored?.(endpoint);
            if (stored !== STORED_BY) return;
            settle(resolve);
            setTimeout(() => enough.abort(new Error("two seats have it")), LAST_SEAT_MS).unref();
          },
          (error: unknown) => {
            if (signal.aborted) return;
            log.warn({ endpoint, err: error, step: item.step }, "a seat refuses the checkpoint's bytes");
            refusals.set(endpoint, error);
            if (refusals.size < STORED_BY) return;
            const reason = new GpuchainError(
              "SEATS_REFUSE",
              `${refusals.size} seats refuse the bytes of step ${item.step}`,
              {
                cause: error,
                hint: "the lease may have moved on; their own words are in the log",
              },
            );
            settle(() => reject(reason));
          },
        );
        under.set(endpoint, task);
      }
    };
    begin();
  });
}

/** Answers that no repetition changes. A stale fence is not among them: a seat may see the lease a block later than we do. */
const FINAL = new Set(["FORBIDDEN", "BLOB_HASH_MISMATCH", "BLOB_TOO_LARGE", "BAD_REQUEST", "UNSUPPORTED"]);
const isFinal = (error: unknown) => error instanceof GatewayError && FINAL.has(error.code);
