import { setMaxListeners } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  assertDeploymentAt,
  createEventFeed,
  createGpuchainClient,
  createSender,
  type Deployment,
  type GpuchainClient,
} from "@gpuchain/sdk/chain";
import type { StartCompute } from "@gpuchain/sdk/compute";
import { deriveEncryptionKeys } from "@gpuchain/sdk/crypto";
import { type Journal, type Logger, type Observer, openJournal, parseListen } from "@gpuchain/sdk/daemon";
import type { LocalAccount } from "viem";
import { createIntentStore } from "./chain/intentStore.ts";
import { type BookJob, JobBook } from "./chain/jobBook.ts";
import { registerVerifier } from "./chain/register.ts";
import { createTransactions } from "./chain/transactions.ts";
import { createUpkeep } from "./chain/upkeep.ts";
import type { VerifierConfig } from "./config.ts";
import { createBlobAccess } from "./gates/blobAccess.ts";
import { createComputeRoom } from "./gates/computeRoom.ts";
import { createJudgeRoom } from "./gates/judgeRoom.ts";
import { createGateway, type Gateway } from "./gateway/gateway.ts";
import { verifierMigrations } from "./journal/migrations.ts";
import { createHeldOutKeys } from "./keeping/heldOutKeys.ts";
import { createKeeper } from "./keeping/keeper.ts";
import { openBlobs } from "./keeping/openBlobs.ts";
import { collectGarbage } from "./keeping/retention.ts";
import { sweepCache } from "./keeping/sweepCache.ts";
import { createPulseHub } from "./pulse/hub.ts";
import { createLoopMonitor } from "./pulse/loopMonitor.ts";
import { createPulseWatch } from "./pulse/watch.ts";
import { acceptsTelemetry } from "./telemetry/acceptTelemetry.ts";
import { createGraphql } from "./telemetry/graphql.ts";
import { createMetrics } from "./telemetry/metrics.ts";
import { createReceipts } from "./telemetry/receipts.ts";
import { createTelemetryStore, telemetryMigrations } from "./telemetry/telemetryStore.ts";
import { createChainClock } from "./votes/chainClock.ts";
import { createEvictionVotes } from "./votes/evictionVotes.ts";
import { createPeers } from "./votes/peers.ts";
import { createVerdictVotes, type VerdictVotes } from "./votes/verdictVotes.ts";

/** What a verifier is made of from outside: everything that tests may want to replace. */
export interface VerifierDependencies {
  readonly account: LocalAccount;
  readonly deployment: Deployment;
  readonly startCompute: StartCompute;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly fetch?: typeof fetch;
  /** where judgements and evictions go as traces */
  readonly observer?: Pick<Observer, "took">;
  /** told the gateway once it listens */
  readonly onReady?: (gateway: Gateway) => void;
}

/** A beat of another node within this time shows that this verifier's network works. */
const OTHERS_ALIVE_MS = 3_000;
const PEER_PROBE_MS = 400;
const SWEEP_MS = 60_000;

/** Runs a verifier until the signal aborts: gateway, pulse watch, judging, votes, upkeep. */
export async function runVerifier(config: VerifierConfig, dependencies: VerifierDependencies): Promise<void> {
  const { deployment, signal, log } = dependencies;
  // Every request, retry and judgement in flight listens for the end.
  setMaxListeners(0, signal);
  // Nothing is made or signed before the network is known to be the right one.
  await assertDeploymentAt({ rpc: config.rpc, deployment, signal, log });
  mkdirSync(config.data, { recursive: true });
  const journal = openJournal(join(config.data, "journal.db"), verifierMigrations);
  const client = createGpuchainClient({
    rpc: config.rpc,
    deployment,
    patienceMs: Number.POSITIVE_INFINITY,
    signal,
    log,
  });
  const closers: (() => void | Promise<void>)[] = [() => client.close(), () => journal.close()];
  try {
    await run(config, dependencies, { journal, client, closers });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    for (const close of closers.toReversed())
      await Promise.resolve()
        .then(close)
        .catch((error: unknown) => log.warn({ err: error }, "closing failed"));
  }
}

async function run(
  config: VerifierConfig,
  { account, deployment, startCompute, signal, log, fetch, observer, onReady }: VerifierDependencies,
  { journal, client, closers }: { journal: Journal; client: GpuchainClient; closers: (() => void | Promise<void>)[] },
): Promise<void> {
  const sender = createSender({ client, account, intents: createIntentStore(journal), log, signal });
  const book = new JobBook(account.address);
  const clock = createChainClock();
  const hub = createPulseHub();
  const loop = createLoopMonitor();
  closers.push(() => loop.close());
  const cacheDir = join(config.data, "cache");
  const keeper = createKeeper({
    blobs: openBlobs(config),
    journal,
    ledger: book,
    self: book.self,
    limits: { quotaBytes: config.quotaGb * 2 ** 30 },
  });
  const transactions = createTransactions(sender, deployment);
  const peers = createPeers({ book, account, chainId: deployment.chainId, signal, log, ...(fetch ? { fetch } : {}) });
  const compute = createComputeRoom({
    startCompute,
    runtime: config.runtime,
    threads: config.threads,
    timeoutMs: config.callTimeout * 1_000,
    nice: config.nice,
    ...(config.memoryMb > 0 ? { memoryMb: config.memoryMb } : {}),
    signal,
    log,
  });
  closers.push(() => compute.close());
  const shared = { account, deployment, book, journal, peers, clock, transactions, signal, log };
  const evictions = createEvictionVotes(shared);
  const telemetry = createTelemetryStore(openTelemetry(config.data, closers));
  closers.push(() => telemetry.close());
  const receipts = createReceipts({ ...shared, hub, chainId: deployment.chainId, contract: deployment.contracts.jobs });
  const metrics = createMetrics({
    block: () => Number(book.block),
    headAgeMs: () => performance.now() - clock.headAt,
    connections: () => hub.connections,
    sessions: () => gateway.sessions,
    judging: () => judging.running,
    blobBytes: () => keeper.claims.totalBytes(),
    openIntents: () => sender.open,
    loopDelayMs: () => loop.takeMaxDelay(),
  });
  const keys = await deriveEncryptionKeys(account);
  const heldOutKeys = createHeldOutKeys({ ...shared, keys, plainDir: join(config.data, "heldout") });
  const judging = createJudgeRoom({
    book,
    journal,
    keeper,
    blobs: createBlobAccess({ keeper, book, peers, cacheDir, log }),
    hub,
    compute,
    votes: (): VerdictVotes => votes,
    openSealed: heldOutKeys.open,
    signal,
    log,
    onJudged: (checkpoint, { outcome, gates }, ms) => {
      const fields = {
        job: String(checkpoint.job),
        fence: Number(checkpoint.fence),
        checkpoint: String(checkpoint.id),
      };
      observer?.took("judge", { ...fields, step: checkpoint.step, outcome }, ms);
      for (const { gate, ok, reason, ms: took } of gates)
        observer?.took(`gate.${gate}`, { ...fields, ok }, took, ok ? undefined : reason);
      metrics.verdicts.inc({ outcome });
      metrics.judging.observe(ms / 1000);
      for (const { gate, ms: took } of gates) metrics.gates.observe({ gate }, took / 1000);
    },
  });
  const votes = createVerdictVotes({ ...shared, onPeerRefusal: judging.onPeerRefusal });
  const upkeep = createUpkeep({ book, read: client.read, transactions, signal, log });

  let caughtUp = false;
  const feed = createEventFeed({ client, fromBlock: deployment.startBlock, signal });
  const freshMs = () => Math.max(3_000, 4 * clock.blockMs);
  const health = async (job: BookJob): Promise<{ ok: boolean; reason: string }> => {
    const age = performance.now() - clock.headAt;
    if (age > freshMs()) return { ok: false, reason: `no new block for ${Math.round(age)} ms` };
    const holder = book.lease(job)?.provider;
    const now = performance.now();
    const alive = hub
      .connected()
      .some((address) => address !== holder && now - (hub.pulse(address)?.lastBeatAt ?? 0) < OTHERS_ALIVE_MS);
    if (alive || (await peers.probe(job, PEER_PROBE_MS))) return { ok: true, reason: "" };
    return { ok: false, reason: "nobody else is heard either" };
  };
  const watch = createPulseWatch({
    book,
    hub,
    stallEnd: () => loop.lastStallEnd,
    health,
    ready: () => caughtUp,
    blockMs: () => clock.blockMs,
    onGone: (gone) => {
      receipts.noteSigned(gone.job.id, gone.lease.fence);
      metrics.evictionsSigned.inc({ cause: gone.cause });
      metrics.silence.observe(gone.silentMs / 1000);
      const { job, lease, cause, silentMs } = gone;
      observer?.took("silence", { job: String(job.id), fence: Number(lease.fence), cause }, silentMs);
      evictions.sign(gone).catch((error: unknown) => log.error({ err: error }, "eviction could not be signed"));
      hub.send(gone.lease.provider, {
        type: "evicting",
        jobId: gone.job.id,
        fence: gone.lease.fence,
        attestedAt: BigInt(clock.nowMs()),
      });
    },
    log,
  });
  closers.push(() => watch.close());
  hub.subscribe({
    onEdge: (provider, up, reason) => {
      metrics.pulseEdges.inc({ edge: up ? "up" : "down" });
      log.info({ event: up ? "pulse.up" : "pulse.down", provider, reason }, up ? "pulse up" : "pulse down");
    },
    onTelemetry: (address, message) => {
      if (acceptsTelemetry(book, address, message))
        telemetry.add(message.jobId, message.fence, message.steps, message.logs);
    },
  });
  const yoga = createGraphql({ book, hub, telemetry, receipts, evidence: judging.evidence });

  const gateway = await createGateway({
    ...parseListen(config.listen),
    ...(config.endpoint === undefined ? {} : { endpoint: config.endpoint }),
    chainId: deployment.chainId,
    keeper,
    ledger: book,
    hub,
    onSignature: (message) => (message.kind === "verdict" ? votes.receive(message) : evictions.receive(message)),
    evidence: judging.evidence,
    verdicts: votes.known,
    heldOutKeys,
    health: () => ({
      ok: caughtUp && performance.now() - clock.headAt < freshMs(),
      block: Number(book.block),
      headAgeMs: Math.round(performance.now() - clock.headAt),
      pulses: hub.connections,
      judging: judging.running,
    }),
    graphql: (request) => yoga.fetch(request),
    metrics: () => metrics.registry.metrics(),
    onAnswer: (method, status) => metrics.requests.inc({ method, status }),
    maxPulses: config.maxPulses,
    log,
  });
  closers.push(() => gateway.close());
  onReady?.(gateway);
  await sender.resume();
  if (config.register)
    await registerVerifier({
      client,
      sender,
      endpoint: gateway.endpoint,
      encryptionKey: keys.publicKey,
      fee: config.fee,
      templates: config.templates,
      bond: config.bond,
      log,
    });
  log.info({ event: "verifier.ready", address: account.address, endpoint: gateway.endpoint }, "verifier is up");

  const sweep = setInterval(() => {
    if (!caughtUp) return;
    const retentionSeconds = config.retentionDays * 86_400;
    collectGarbage({ keeper, ledger: book, chainTime: () => book.timestamp, retentionSeconds, log })
      .then(() => sweepCache(cacheDir, (sha256) => keeper.claims.of(sha256).length > 0))
      .catch((error: unknown) => log.warn({ err: error }, "dropping old blobs failed"));
  }, SWEEP_MS);
  closers.push(() => clearInterval(sweep));

  for await (const item of feed) {
    if (item.type === "reorg") {
      log.warn({ block: Number(item.reorgTo) }, "the chain was reorganised; everything after this block is read anew");
      book.rewind(item.reorgTo);
      continue;
    }
    book.apply(item);
    if (item.blockNumber < item.head) continue;
    clock.saw(Number(item.timestamp));
    caughtUp = true;
    for (const job of book.active()) if (book.seatOf(job) !== undefined) peers.warm(job);
    receipts.review();
    watch.review();
    evictions.review();
    judging.review();
    votes.review();
    upkeep.review();
  }
}

/** Telemetry has a file of its own: it is written often and may lose its last half second, the journal may lose nothing. */
function openTelemetry(directory: string, closers: (() => void)[]): Journal {
  const database = openJournal(join(directory, "telemetry.db"), telemetryMigrations);
  database.run("PRAGMA synchronous = OFF");
  closers.push(() => database.close());
  return database;
}
