import {
  contentDigestOf,
  type Deployment,
  isRevert,
  recoverVerdict,
  signVerdict,
  type Verdict,
} from "@gpuchain/sdk/chain";
import type { Journal, Logger } from "@gpuchain/sdk/daemon";
import {
  encodeWire,
  GatewayError,
  type Interval,
  type SignedVerdictMessage,
  signedVerdictSchema,
} from "@gpuchain/sdk/gateway";
import type { LocalAccount } from "viem";
import type { BookCheckpoint, BookJob, JobBook } from "../chain/jobBook.ts";
import type { Transactions } from "../chain/transactions.ts";
import type { ChainClock } from "./chainClock.ts";
import type { Peers } from "./peers.ts";

export interface VerdictVotesParameters {
  readonly account: LocalAccount;
  readonly deployment: Deployment;
  readonly book: JobBook;
  readonly journal: Journal;
  readonly peers: Peers;
  readonly clock: ChainClock;
  readonly transactions: Transactions;
  /** a peer refused and named an interval: replay it before signing */
  readonly onPeerRefusal: (checkpointId: bigint, interval: Interval) => void;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export interface VerdictVotes {
  /**
   * Signs, journals, tells the peers. A checkpoint is signed once: if the journal, the chain or a peer knows an earlier verdict of this
   * verifier on it, that one stands and nothing new is signed.
   */
  sign(
    checkpoint: BookCheckpoint,
    verdict: Pick<Verdict, "outcome" | "metTarget" | "score" | "evidenceHash">,
    refused?: Interval,
  ): Promise<void>;
  /** This verifier's verdict on a checkpoint's present content, if it has signed one. */
  own(checkpoint: BookCheckpoint): SignedVerdictMessage | undefined;
  receive(message: SignedVerdictMessage): Promise<void>;
  known(checkpointId: bigint): SignedVerdictMessage[];
  /** Casts what is due; called after every block. */
  review(): void;
}

/** Time for a third signature to join the first two in one transaction. */
const THIRD_VOTE_MS = 250;
/** Checkpoints of which peers' verdicts are held. */
const MAX_HELD = 2_000;

/** Collects seats' verdicts and puts them on chain. */
export function createVerdictVotes(parameters: VerdictVotesParameters): VerdictVotes {
  const { account, deployment, book, journal, peers, clock, transactions, signal, log } = parameters;
  const self = account.address.toLowerCase();
  const held = new Map<bigint, Map<string, SignedVerdictMessage>>();
  const pairSince = new Map<bigint, number>();
  const casting = new Set<bigint>();
  const timers = new Map<bigint, NodeJS.Timeout>();

  const journalled = (checkpointId: bigint): SignedVerdictMessage | undefined => {
    const row = journal.get<{ message: string }>(
      "SELECT message FROM verdict WHERE checkpoint = ?",
      String(checkpointId),
    );
    return row && signedVerdictSchema.parse(JSON.parse(row.message));
  };

  const keep = (message: SignedVerdictMessage): void => {
    const known = held.get(message.checkpointId) ?? new Map<string, SignedVerdictMessage>();
    // The first one of each verifier stands: a second, different one is the peer's own business with its bond.
    if (!known.has(message.verifier)) known.set(message.verifier, message);
    held.set(message.checkpointId, known);
    if (held.size > MAX_HELD) held.delete(held.keys().next().value ?? 0n);
  };

  /** Verdicts that would count: of sitting members, on this very content, not yet on chain. In seat order. */
  const countable = (job: BookJob, checkpoint: BookCheckpoint): SignedVerdictMessage[] => {
    const digest = contentDigestOf(checkpoint.stateHash, checkpoint.traceRoot);
    return [...(held.get(checkpoint.id)?.values() ?? [])]
      .filter(
        (message) =>
          book.seatOf(job, message.verifier) !== undefined &&
          message.contentDigest === digest &&
          message.fence === Number(checkpoint.fence) &&
          !checkpoint.votes.has(message.verifier),
      )
      .sort((a, b) => (book.seatOf(job, a.verifier) ?? 0) - (book.seatOf(job, b.verifier) ?? 0));
  };

  const cast = async (checkpoint: BookCheckpoint, verdicts: readonly SignedVerdictMessage[]): Promise<void> => {
    if (casting.has(checkpoint.id) || verdicts.length === 0) return;
    casting.add(checkpoint.id);
    const fields = {
      job: String(checkpoint.job),
      fence: Number(checkpoint.fence),
      checkpoint: String(checkpoint.id),
      step: checkpoint.step,
      votes: verdicts.length,
    };
    try {
      const { receipt } = await transactions.castVerdicts(checkpoint.id, verdicts);
      log.info(
        { event: "verdict.mined", ...fields, block: Number(receipt.blockNumber), hash: receipt.transactionHash },
        "verdicts are on chain",
      );
    } catch (error) {
      if (signal.aborted) return;
      if (
        isRevert(error, "NoVoteCounted") ||
        isRevert(error, "NotJudgeable") ||
        isRevert(error, "WrongCheckpointStatus")
      )
        log.debug({ ...fields, err: error }, "these votes were counted already, or it is not this checkpoint's turn");
      else log.warn({ ...fields, err: error }, "casting verdicts failed");
    } finally {
      casting.delete(checkpoint.id);
    }
  };

  /** Looks at one checkpoint again after `ms`, also when no block comes in between. */
  const lookAgain = (id: bigint, ms: number): void => {
    if (timers.has(id)) return;
    timers.set(
      id,
      setTimeout(() => {
        timers.delete(id);
        const checkpoint = book.checkpoint(id);
        if (checkpoint !== undefined) consider(checkpoint);
      }, ms),
    );
  };

  const consider = (checkpoint: BookCheckpoint): void => {
    const job = book.jobs.get(checkpoint.job);
    if (job === undefined || casting.has(checkpoint.id)) return;
    const votes = countable(job, checkpoint);
    if (votes.length === 0) return;
    if (checkpoint.status !== "Pending") {
      castLate(checkpoint, votes);
      return;
    }
    if (!book.isJudgeable(checkpoint)) return;

    const tally = new Map<string, number>();
    const onChain = [...checkpoint.votes.values()].map(({ outcome, metTarget }) => `${outcome} ${metTarget}`);
    const offChain = votes.map(
      ({ outcome, metTarget }) => `${["None", "Accept", "Refuse", "Unavailable"].indexOf(outcome)} ${metTarget}`,
    );
    for (const vote of [...onChain, ...offChain]) tally.set(vote, (tally.get(vote) ?? 0) + 1);
    const decides = Math.max(...tally.values()) >= 2 || onChain.length + offChain.length >= 3;
    if (!decides) {
      castAlone(job, checkpoint, votes);
      return;
    }

    const at = performance.now();
    const since = pairSince.get(checkpoint.id) ?? at;
    pairSince.set(checkpoint.id, since);
    // Seat (index mod 3) casts first; who has not signed cannot hold the others up.
    const first = Number(checkpoint.index % 3n);
    const order: string[] = votes.map(({ verifier }) => verifier);
    order.sort((a, b) => turn(job, a, first) - turn(job, b, first));
    const rank = order.includes(self) ? order.indexOf(self) : order.length;
    const complete = onChain.length + offChain.length >= 3;
    const wait = (complete ? 0 : THIRD_VOTE_MS) + rank * 1.5 * clock.blockMs;
    const left = since + wait - at;
    if (left > 0) lookAgain(checkpoint.id, Math.ceil(left));
    else void cast(checkpoint, votes);
  };

  const turn = (job: BookJob, verifier: string, first: number): number =>
    ((book.seatOf(job, verifier) ?? 0) - first + 3) % 3;

  /** A third vote with the outcome earns its fee until maturity. */
  const castLate = (checkpoint: BookCheckpoint, votes: readonly SignedVerdictMessage[]): void => {
    const mine = votes.find(({ verifier }) => verifier === self);
    const job = book.jobs.get(checkpoint.job);
    if (mine === undefined || job === undefined || checkpoint.decidedAt === undefined) return;
    const open = book.timestamp < book.maturesAt(job, checkpoint);
    const matches =
      (checkpoint.status === "Accepted" && mine.outcome === "Accept") ||
      (checkpoint.status === "Refused" && mine.outcome === "Refuse");
    if (open && matches) void cast(checkpoint, [mine]);
  };

  /** No pair yet: a seat does not let its own time run out waiting for the others. */
  const castAlone = (job: BookJob, checkpoint: BookCheckpoint, votes: readonly SignedVerdictMessage[]): void => {
    const mine = votes.find(({ verifier }) => verifier === self);
    if (mine === undefined || checkpoint.judgeableAt === 0) return;
    if (book.timestamp >= checkpoint.judgeableAt + 0.6 * job.terms.verdictTimeout) void cast(checkpoint, [mine]);
  };

  return {
    own(checkpoint) {
      const message = held.get(checkpoint.id)?.get(self) ?? journalled(checkpoint.id);
      if (message === undefined) return undefined;
      keep(message);
      return message.contentDigest === contentDigestOf(checkpoint.stateHash, checkpoint.traceRoot)
        ? message
        : undefined;
    },
    async sign(checkpoint, verdict, refused) {
      const job = book.jobs.get(checkpoint.job);
      if (job === undefined) return;
      const fields = {
        job: String(checkpoint.job),
        fence: Number(checkpoint.fence),
        checkpoint: String(checkpoint.id),
        step: checkpoint.step,
      };
      const earlier = journalled(checkpoint.id) ?? (await signedElsewhere(job, checkpoint));
      if (checkpoint.votes.has(self) && earlier === undefined) {
        log.warn(fields, "this verifier's vote is on chain but not in its journal; nothing new is signed");
        return;
      }
      if (earlier !== undefined) {
        if (earlier.outcome !== verdict.outcome || earlier.metTarget !== verdict.metTarget)
          log.error(
            { ...fields, signed: earlier.outcome, now: verdict.outcome },
            "this verifier has signed another verdict on this checkpoint before; the first one stands",
          );
        keep(earlier);
        peers.broadcast(job, earlier, () => checkpoint.status === "Pending");
        consider(checkpoint);
        return;
      }
      const signed = await signVerdict(deployment, account, {
        jobId: checkpoint.job,
        fence: Number(checkpoint.fence),
        checkpointId: checkpoint.id,
        contentDigest: contentDigestOf(checkpoint.stateHash, checkpoint.traceRoot),
        ...verdict,
      });
      const message: SignedVerdictMessage = {
        kind: "verdict",
        verifier: self as `0x${string}`,
        ...signed,
        outcome: verdict.outcome as SignedVerdictMessage["outcome"],
        ...(refused === undefined ? {} : { refusedInterval: refused }),
      };
      // The row is on disk before the signature leaves; its key makes a second one impossible.
      journal.run(
        "INSERT INTO verdict (checkpoint, chain, contract, content, outcome, message, signed_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        String(checkpoint.id),
        deployment.chainId,
        deployment.contracts.jobs,
        signed.contentDigest,
        ["None", "Accept", "Refuse", "Unavailable"].indexOf(verdict.outcome),
        encodeWire(message),
        Date.now(),
      );
      log.info(
        {
          event: "verdict.signed",
          ...fields,
          outcome: verdict.outcome,
          metTarget: verdict.metTarget,
          score: verdict.score,
        },
        "verdict signed",
      );
      keep(message);
      peers.broadcast(job, message, () => checkpoint.status === "Pending" || !checkpoint.votes.has(self));
      consider(checkpoint);
    },
    async receive(message) {
      const signer = (await recoverVerdict(deployment, message)).toLowerCase();
      if (signer !== message.verifier || !book.isVerifier(signer))
        throw new GatewayError("FORBIDDEN", `This verdict is not signed by verifier ${message.verifier}.`, {
          status: 403,
        });
      keep(message);
      const checkpoint = book.checkpoint(message.checkpointId);
      // A look costs a replay: only who has a say here, and speaks of what was committed, may ask for one.
      const sits = book.jobs.get(message.jobId)?.seats?.includes(signer) === true;
      const isThis =
        checkpoint === undefined ||
        message.contentDigest === contentDigestOf(checkpoint.stateHash, checkpoint.traceRoot);
      if (message.outcome === "Refuse" && message.refusedInterval !== undefined && sits && isThis)
        parameters.onPeerRefusal(message.checkpointId, message.refusedInterval);
      if (checkpoint !== undefined) consider(checkpoint);
    },
    known: (checkpointId) => {
      const mine = journalled(checkpointId);
      if (mine !== undefined) keep(mine);
      return [...(held.get(checkpointId)?.values() ?? [])];
    },
    review() {
      for (const [id] of held) {
        const checkpoint = book.checkpoint(id);
        const job = book.jobs.get(id >> 32n);
        if (checkpoint === undefined || job === undefined) continue;
        const over = checkpoint.decidedAt !== undefined && book.timestamp > book.maturesAt(job, checkpoint) + 60;
        if (over) held.delete(id);
        else consider(checkpoint);
      }
    },
  };

  /** After a restored backup the journal may have forgotten what the peers still hold. */
  async function signedElsewhere(job: BookJob, checkpoint: BookCheckpoint): Promise<SignedVerdictMessage | undefined> {
    for (const message of await peers.knownVerdicts(job, checkpoint.id, 500)) {
      if (message.verifier !== self) continue;
      const signer = (await recoverVerdict(deployment, message)).toLowerCase();
      if (signer === self) return message;
    }
    return undefined;
  }
}
