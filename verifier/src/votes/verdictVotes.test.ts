import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contentDigestOf, type Deployment, type FeedBlock, signVerdict } from "@gpuchain/sdk/chain";
import { createLogger, type Journal, openJournal } from "@gpuchain/sdk/daemon";
import type { SignatureMessage, SignedVerdictMessage } from "@gpuchain/sdk/gateway";
import { type Hex, sha256Hex } from "@gpuchain/sdk/records";
import { type Address, zeroHash } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { JobBook } from "../chain/jobBook.ts";
import type { Transactions } from "../chain/transactions.ts";
import { verifierMigrations } from "../journal/migrations.ts";
import { createChainClock } from "./chainClock.ts";
import type { Peers } from "./peers.ts";
import { createVerdictVotes } from "./verdictVotes.ts";

const seats = [0, 1, 2].map(() => privateKeyToAccount(generatePrivateKey()));
const [self, second, third] = seats as [(typeof seats)[0], (typeof seats)[0], (typeof seats)[0]];
const unseated = privateKeyToAccount(generatePrivateKey());
const provider = privateKeyToAccount(generatePrivateKey()).address;
const none: Address = `0x${"11".repeat(20)}`;
const deployment: Deployment = {
  protocolVersion: 1,
  chainId: 31337,
  startBlock: 0n,
  contracts: { jobs: none, court: none, registry: none, escrow: none, usdc: none, lens: none },
};
const stateHash = sha256Hex(Uint8Array.of(1));
const traceRoot = sha256Hex(Uint8Array.of(2));
const CHECKPOINT = (1n << 32n) | 1n;

/** Blocks as the feed gives them; only what the book reads is there. */
function block(number: bigint, timestamp: number, events: readonly { eventName: string; args: object }[]): FeedBlock {
  const blockHash: Hex = `0x${number.toString(16).padStart(64, "0")}`;
  const place = { blockNumber: number, blockHash };
  const full = events.map((event) => ({ contract: "jobs", ...place, ...event }));
  return {
    type: "block",
    ...place,
    timestamp: BigInt(timestamp),
    events: full as unknown as FeedBlock["events"],
    head: number,
  };
}

function bookWithCommit(state: Hex = stateHash): JobBook {
  const book = new JobBook(self.address);
  const terms = {
    genesisHash: zeroHash,
    specHash: zeroHash,
    deadline: 9e9,
    verdictTimeout: 30,
    disputeWindow: 10,
    totalSteps: 40,
    budget: 1n,
  };
  book.apply(
    block(1n, 100, [
      ...[...seats, unseated].map(({ address }, verifierId) => ({
        eventName: "VerifierRegistered",
        args: { verifier: address, verifierId, profile: { endpoint: "http://x" } },
      })),
      { eventName: "JobPosted", args: { jobId: 1n, client: none, terms } },
      { eventName: "CommitteeSeated", args: { jobId: 1n, verifiers: seats.map(({ address }) => address) } },
      { eventName: "LeaseAcquired", args: { jobId: 1n, fence: 1, provider, pricePerStep: 1n, expiresAt: 1_000 } },
      {
        eventName: "CheckpointCommitted",
        args: {
          checkpointId: CHECKPOINT,
          jobId: 1n,
          fence: 1,
          parentId: 1n << 32n,
          step: 10,
          stateHash: state,
          traceRoot,
          judgeableAt: 100,
          expiresAt: 1_000,
        },
      },
    ]),
  );
  return book;
}

describe("verdicts", () => {
  let directory: string;
  let journal: Journal;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "gpuchain-votes-"));
    journal = openJournal(join(directory, "journal.db"), verifierMigrations);
  });
  afterEach(() => {
    journal.close();
    rmSync(directory, { recursive: true, force: true });
  });

  function room(options: { book?: JobBook; known?: SignedVerdictMessage[] } = {}) {
    const book = options.book ?? bookWithCommit();
    const sent: SignatureMessage[] = [];
    const cast: SignedVerdictMessage[][] = [];
    const lines: string[] = [];
    const peers: Peers = {
      broadcast: (_job, message) => void sent.push(message),
      probe: async () => true,
      knownVerdicts: async () => options.known ?? [],
      session: () => Promise.reject(new Error("not here")),
      warm: () => undefined,
    };
    const transactions = {
      castVerdicts: async (_id: bigint, verdicts: readonly SignedVerdictMessage[]) => {
        cast.push([...verdicts]);
        return { hash: zeroHash, receipt: { blockNumber: 2n, transactionHash: zeroHash } };
      },
    } as unknown as Transactions;
    const refusals: unknown[] = [];
    const votes = createVerdictVotes({
      account: self,
      deployment,
      book,
      journal,
      peers,
      clock: createChainClock(),
      transactions,
      onPeerRefusal: (...refusal) => refusals.push(refusal),
      signal: new AbortController().signal,
      log: createLogger({
        name: "votes",
        level: "debug",
        json: true,
        destination: { write: (line) => lines.push(line) },
      }),
    });
    const checkpoint = book.checkpoint(CHECKPOINT);
    if (checkpoint === undefined) throw new Error("no checkpoint in the book");
    return { book, votes, sent, cast, lines, refusals, checkpoint };
  }
  const say = (outcome: "Accept" | "Refuse" | "Unavailable") => ({
    outcome,
    metTarget: false,
    score: 5,
    evidenceHash: zeroHash,
  });
  async function message(
    account: typeof self,
    outcome: "Accept" | "Refuse",
    state = stateHash,
  ): Promise<SignedVerdictMessage> {
    const contentDigest = contentDigestOf(state, traceRoot);
    const signed = await signVerdict(deployment, account, {
      jobId: 1n,
      fence: 1,
      checkpointId: CHECKPOINT,
      contentDigest,
      ...say(outcome),
    });
    return { kind: "verdict", verifier: account.address.toLowerCase() as Hex, ...signed, outcome };
  }

  it("are on disk before they leave, and a second, different one is never signed", async () => {
    const { votes, sent, checkpoint, lines } = room();
    await votes.sign(checkpoint, say("Accept"));
    expect(journal.get<{ outcome: number }>("SELECT outcome FROM verdict")?.outcome).toBe(1);
    await votes.sign(checkpoint, say("Refuse"));
    // Also after a restart, from the journal alone.
    const restarted = room();
    await restarted.votes.sign(restarted.checkpoint, say("Refuse"));
    const said = [...sent, ...restarted.sent].map((one) =>
      one.kind === "verdict" ? `${one.outcome} ${one.r}` : one.kind,
    );
    expect(new Set(said).size).toBe(1);
    expect(said[0]).toMatch(/^Accept/);
    expect(lines.join("")).toMatch(/the first one stands/);
  });

  it("are learned from the peers when the journal is older than the signature", async () => {
    const before = await message(self, "Accept");
    const { votes, sent, checkpoint } = room({ known: [before] });
    await votes.sign(checkpoint, say("Refuse"));
    expect(sent).toEqual([before]);
    expect(journal.all("SELECT * FROM verdict")).toEqual([]);
  });

  it("are not signed again when the chain shows a vote that the journal does not know", async () => {
    const { book, votes, sent, checkpoint } = room();
    book.apply(
      block(2n, 102, [
        {
          eventName: "VerdictCast",
          args: { checkpointId: CHECKPOINT, verifier: self.address, outcome: 1, metTarget: false },
        },
      ]),
    );
    await votes.sign(checkpoint, say("Refuse"));
    expect(sent).toEqual([]);
  });

  it("are not signed for other bytes under the same id, as after a reorganisation: that would be two verdicts on one checkpoint", async () => {
    const { votes, checkpoint } = room();
    await votes.sign(checkpoint, say("Accept"));
    const other = room({ book: bookWithCommit(sha256Hex(Uint8Array.of(9))) });
    await other.votes.sign(other.checkpoint, say("Accept"));
    expect(journal.all("SELECT * FROM verdict")).toHaveLength(1);
    expect(other.votes.own(other.checkpoint)).toBeUndefined();
    expect(other.cast).toEqual([]);
  });

  it("of peers count only with a good signature of a verifier, the first of each", async () => {
    const { votes, refusals } = room();
    const good = await message(second, "Refuse");
    const interval = { fromStep: 0, toStep: 5 };
    await votes.receive({ ...good, refusedInterval: interval });
    await votes.receive(await message(second, "Accept"));
    expect(votes.known(CHECKPOINT).map(({ outcome }) => outcome)).toEqual(["Refuse"]);
    expect(refusals).toEqual([[CHECKPOINT, interval]]);
    // Of other bytes than were committed, or without a seat, nobody makes the seats replay.
    await votes.receive({
      ...(await message(second, "Refuse", sha256Hex(Uint8Array.of(9)))),
      refusedInterval: interval,
    });
    await votes.receive({ ...(await message(unseated, "Refuse")), refusedInterval: interval });
    expect(refusals).toHaveLength(1);
    await expect(votes.receive({ ...good, outcome: "Accept" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    const stranger = await message(privateKeyToAccount(generatePrivateKey()), "Accept");
    await expect(votes.receive(stranger)).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("are cast by the pair, all three together when the third is quick, never for other content", async () => {
    const { votes, cast, checkpoint } = room();
    await votes.sign(checkpoint, say("Accept"));
    await votes.receive(await message(third, "Accept", sha256Hex(Uint8Array.of(7))));
    expect(cast).toEqual([]);
    await votes.receive(await message(second, "Accept"));
    await vi.waitFor(() => expect(cast).toHaveLength(1), 5_000);
    expect(cast[0]?.map(({ verifier }) => verifier)).toEqual(
      [self, second].map(({ address }) => address.toLowerCase()),
    );
  });
});
