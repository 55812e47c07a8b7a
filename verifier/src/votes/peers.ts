import type { Logger } from "@gpuchain/sdk/daemon";
import {
  type GatewaySession,
  gatewayRequest,
  getKnownVerdicts,
  openSession,
  postSignature,
  type SignatureMessage,
  type SignedVerdictMessage,
} from "@gpuchain/sdk/gateway";
import type { LocalAccount } from "viem";
import type { BookJob, JobBook } from "../chain/jobBook.ts";

export interface PeersParameters {
  readonly book: JobBook;
  readonly account: LocalAccount;
  readonly chainId: number;
  readonly fetch?: typeof fetch;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export interface Peers {
  /** Sends a signature to the other seats; tried again for as long as `wanted` says so. */
  broadcast(job: BookJob, message: SignatureMessage, wanted: () => boolean): void;
  /** Whether any other seat answers. */
  probe(job: BookJob, timeoutMs: number): Promise<boolean>;
  /** What the other seats know of verdicts on a checkpoint. */
  knownVerdicts(job: BookJob, checkpointId: bigint, timeoutMs: number): Promise<SignedVerdictMessage[]>;
  /** An open session with a peer, for blobs that only verifiers may read. */
  session(endpoint: string): Promise<GatewaySession>;
  /** Opens sessions with the other seats ahead of need. */
  warm(job: BookJob): void;
}

/** The other seats of a job, over their gateways. */
export function createPeers({ book, account, chainId, fetch, signal, log }: PeersParameters): Peers {
  const sessions = new Map<string, Promise<GatewaySession>>();
  const options = { signal, ...(fetch ? { fetch } : {}) };

  const session = (endpoint: string): Promise<GatewaySession> => {
    let open = sessions.get(endpoint);
    if (open === undefined) {
      open = openSession({ endpoint, account, chainId, timeoutMs: 5_000, ...options });
      sessions.set(endpoint, open);
      open.catch(() => sessions.delete(endpoint));
    }
    return open;
  };

  const deliver = async (endpoint: string, message: SignatureMessage, wanted: () => boolean): Promise<void> => {
    for (let attempt = 0; wanted() && !signal.aborted; attempt++) {
      try {
        await postSignature(await session(endpoint), message, signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.debug({ err: error, endpoint, attempt }, "a peer did not take the signature");
        await pause(Math.min(2_000, 100 * 2 ** attempt), signal);
      }
    }
  };

  return {
    session,
    broadcast(job, message, wanted) {
      for (const peer of book.peersOf(job)) void deliver(peer.endpoint, message, wanted);
    },
    async probe(job, timeoutMs) {
      const ask = async (endpoint: string) => {
        await gatewayRequest(endpoint, "/healthz", { ...options, timeoutMs, accept: [503] });
        return true;
      };
      const answers = book.peersOf(job).map(({ endpoint }) => ask(endpoint));
      return Promise.any(answers).catch(() => false);
    },
    async knownVerdicts(job, checkpointId, timeoutMs) {
      const asks = book
        .peersOf(job)
        .map(({ endpoint }) => getKnownVerdicts(endpoint, checkpointId, { ...options, timeoutMs }));
      const answers = await Promise.allSettled(asks);
      return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    },
    warm(job) {
      for (const { endpoint } of book.peersOf(job))
        session(endpoint).catch((error: unknown) =>
          log.debug({ err: error, endpoint }, "a peer cannot be reached yet"),
        );
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
