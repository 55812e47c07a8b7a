// Over 150 lines: everything the node is made of is put together here, in the order in which it starts.
import { mkdirSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { FileBlobStore } from "@gpuchain/sdk/blobs";
import { assertDeploymentAt, createEventFeed, createGpuchainClient, loadDeployment } from "@gpuchain/sdk/chain";
import { type StartCompute, startCompute as startRealCompute } from "@gpuchain/sdk/compute";
import { deriveEncryptionKeys } from "@gpuchain/sdk/crypto";
import {
  createLogger,
  formatUsdc,
  GpuchainError,
  type Logger,
  type Observer,
  openJournal,
  openObserver,
  sleep,
} from "@gpuchain/sdk/daemon";
import type { PulseStatus } from "@gpuchain/sdk/gateway";
import type { Hex } from "@gpuchain/sdk/records";
import type { Address } from "viem";
import { createChainClock } from "./chain/chainClock.ts";
import { inUsdc, leaseCost } from "./chain/gasNeeds.ts";
import { createJobTracker } from "./chain/jobTracker.ts";
import { leaseEndsAt } from "./chain/jobView.ts";
import { meteredSender } from "./chain/meteredSender.ts";
import { openSender } from "./chain/openSender.ts";
import { register } from "./chain/register.ts";
import { tracedTransactions } from "./chain/tracedTransactions.ts";
import { createTransactions } from "./chain/transactions.ts";
import type { NodeConfig } from "./config.ts";
import { serveControl } from "./control/controlServer.ts";
import { describeDevice } from "./device.ts";
import { onOwnEvent } from "./events.ts";
import { createNodeJournal } from "./journal/nodeJournal.ts";
import { freeReservations } from "./lease/freeReservations.ts";
import { watchOwnerLimits } from "./limits/ownerLimits.ts";
import { createNodeMetrics, serveMetrics } from "./metricsServer.ts";
import type { NodeStatus } from "./nodeStatus.ts";
import { withdraw } from "./offline.ts";
import { openAccount } from "./openAccount.ts";
import { createStandby } from "./standby.ts";
import { createTelemetry } from "./telemetry.ts";
import { createComputeHost } from "./trainer/computeHost.ts";
import { createAuditReader } from "./uplink/auditReader.ts";
import { createPulses, type Pulses } from "./uplink/pulses.ts";
import { createSessions } from "./uplink/sessions.ts";
import { createWorker } from "./worker.ts";

/** What tests and other programs may put in place of the real thing. */
export interface NodeDeps {
  readonly startCompute?: StartCompute;
  readonly fetch?: typeof fetch;
  readonly log?: Logger;
  /** begins the drain: checkpoint, release, stop */
  readonly signal?: AbortSignal;
  /** told of errors that the log shows, once it is open */
  readonly onObserver?: (observer: Observer) => void;
  /** a clock that never jumps, in ms */
  readonly monotonicMs?: () => number;
}

export interface RunningNode {
  readonly address: Address;
  status(): Promise<NodeStatus>;
  /** without asking the chain: for a progress line */
  glance(): NodeStatus;
  pause(): Promise<void>;
  resume(): Promise<void>;
  withdraw(to?: Address): Promise<{ amount: bigint; hash: Hex }>;
  /** checkpoint, release, stop; resolves when all is over */
  exit(): Promise<void>;
  /** settles when the node has stopped; rejects when it had to */
  readonly done: Promise<void>;
}

/** How long a node that stops still answers audits of its last checkpoints. */
const LINGER_MS = 10_000;
const IDLE_BEAT_MS = 1_000;
/** The chain has said nothing for this long: `/healthz` says so. */
const UNHEALTHY_MS = 30_000;
/** What is served where no job is at hand: a full queue of commits. */
const TYPICAL_JOB = { terms: { totalSteps: 8, checkpointInterval: 1 }, tail: { step: 0 } };
/** Beyond the drain itself, how long the transactions that end a lease may take. */
const STOP_MS = 20_000;

/**
 * Starts a provider node: registers it, follows the chain, and trains under whatever lease it can get.
 *
 * @throws GpuchainError when it cannot start: no RPC, wrong chain, no such deployment, another protocol version, no key, no gas, no bond,
 * data folder in use
 * @example
 * const node = await runNode(loadConfig(configTable, { argv, env: process.env }));
 * await node.done;
 */
export async function runNode(config: NodeConfig, deps: NodeDeps = {}): Promise<RunningNode> {
  const log = deps.log ?? createLogger({ name: "node", level: config.logLevel, json: config.log === "json" });
  const monotonicMs = deps.monotonicMs ?? (() => performance.now());
  const { startCompute = startRealCompute } = deps;
  const fetching = deps.fetch ? { fetch: deps.fetch } : {};
  /** aborted last: everything still open is dropped */
  const hard = new AbortController();
  const { signal } = hard;
  const closers: (() => void | Promise<void>)[] = [];
  const close = async () => {
    hard.abort(new GpuchainError("INTERRUPTED", "the node is stopping"));
    for (const closer of closers.reverse()) await closer();
    closers.length = 0;
  };

  const giveUp = () => hard.abort(deps.signal?.reason);
  deps.signal?.addEventListener("abort", giveUp, { once: true });

  try {
    deps.signal?.throwIfAborted();
    const deployment = loadDeployment(config.deployment);
    await assertDeploymentAt({ rpc: config.rpc, deployment, signal, log });
    // Nothing is made or signed before the network is known to be the right one.
    mkdirSync(config.data, { recursive: true, mode: 0o700 });
    const account = await openAccount(config, log, true);
    const database = openJournal(join(config.data, "journal.db"));
    closers.push(() => database.close());
    const journal = createNodeJournal(database, () =>
      log.warn("the disk is full: bookings wait for room, and nothing is sent meanwhile"),
    );
    closers.push(() => journal.close());

    const client = createGpuchainClient({
      rpc: config.rpc,
      deployment,
      patienceMs: Number.POSITIVE_INFINITY,
      signal,
      log,
    });
    closers.push(() => client.close());
    const sender = meteredSender(await openSender({ client, account, database, log, signal }), client, journal.gasPaid);
    const observer = await openObserver({
      service: "gpuchain-node",
      instance: account.address,
      otlp: config.otlp,
      sentryDsn: config.sentryDsn,
    });
    closers.push(() => observer.close());
    deps.onObserver?.(observer);
    const { name, price, payout } = await register({
      client,
      sender,
      name: config.name,
      price: config.price,
      payout: config.payout,
      bond: config.bond,
      encryptionKey: (await deriveEncryptionKeys(account)).publicKey,
      device: await describeDevice(config),
      log,
    });

    const me = account.address.toLowerCase() as Address;
    const tracker = createJobTracker(client.read, me);
    const clock = createChainClock(monotonicMs);
    const transactions = tracedTransactions(createTransactions(client, sender, config.coinPrice), observer);
    const sessions = createSessions({ account, chainId: deployment.chainId, signal, ...fetching });
    const host = createComputeHost({
      startCompute,
      options: {
        runtime: config.runtime,
        threads: config.threads,
        nice: config.nice,
        ...(config.memoryMb > 0 ? { memoryMb: config.memoryMb } : {}),
        timeoutMs: config.openTimeout * 1_000,
        log,
      },
      log,
    });
    closers.push(() => host.close());
    const standby = createStandby({
      data: config.data,
      self: me,
      blobs: new FileBlobStore(join(config.data, "blobs")),
      host,
      sources: async (job) =>
        spread(job.seats.length > 0 ? job.seats.map((seat) => seat.endpoint) : tracker.endpoints(), me),
      ...fetching,
      signal,
      monotonicMs,
      memoryBytes: Math.min(totalmem(), config.memoryMb > 0 ? config.memoryMb * 2 ** 20 : Number.POSITIVE_INFINITY),
      onReady: () => worker.wake(),
      log,
    });
    const telemetry = createTelemetry((...batch) => pulses.telemetry(...batch));
    closers.push(() => telemetry.close());
    const isJson = config.log === "json";
    const worker = createWorker({
      me: { address: me, payout, price },
      tracker,
      clock,
      transactions,
      journal,
      standby,
      host,
      pulses: () => pulses,
      sessions,
      drainMs: config.drainSeconds * 1000,
      heldOff: () => limits.reason,
      freeBond: async () => {
        const { reserved: before } = await client.read.getAccount({ account: account.address });
        return (await freeReservations(client, account.address, transactions, log)) < before;
      },
      signal,
      tell: telemetry.log,
      onStep: (run, report, tokens) => {
        telemetry.add(run.job, run.fence, report, tokens);
        if (isJson) {
          const { step, loss, lr, ms } = report;
          log.info({ event: "step", job: run.job.toString(), fence: run.fence.toString(), step, loss, lr, ms });
        }
      },
      log,
    });
    const limits = await watchOwnerLimits({
      hours: config.hours,
      maxCelsius: config.maxCelsius,
      maxWatts: config.maxWatts,
      memoryShare: config.memoryShare,
      yieldGpu: config.yieldGpu,
      computePid: () => host.pid,
      log,
      onChange: () => worker.wake(),
      onTooLarge: (reason) => worker.leave(reason),
    });
    closers.push(() => limits.close());
    const audits = createAuditReader(config.data);
    const pulses: Pulses = createPulses({
      sessions,
      beatEveryMs: () => Math.max(50, (worker.job?.terms.pulseTimeoutMs ?? 4 * IDLE_BEAT_MS) / 4),
      status: (): PulseStatus => {
        const { run } = worker;
        return run === undefined
          ? { standby: true }
          : { jobId: run.job, fence: run.fence, step: run.step, standby: false };
      },
      onStatesRequest: (request) => audits.read(request),
      onEvicting: ({ jobId }) => worker.proveLife(jobId),
      onChange: () => worker.proveLife(),
      signal,
      log,
    });

    const follow = async () => {
      const feed = createEventFeed({ client, signal, log });
      let caughtUp = false;
      for await (const item of feed) {
        if (item.type === "reorg") {
          log.warn({ block: Number(item.reorgTo) }, "the chain was reorganised; reading the jobs again");
          worker.wake(tracker.rewind(item.reorgTo));
          continue;
        }
        clock.observe({ number: item.blockNumber, timestamp: Number(item.timestamp) });
        const touched = tracker.apply(item);
        const isNews = caughtUp;
        for (const event of item.events) journal.whenThereIsRoom(() => onOwnEvent({ me, journal, log }, event, isNews));
        if (!caughtUp && item.blockNumber < item.head) {
          for (const id of touched) backlog.add(id);
          continue;
        }
        if (!caughtUp) log.info({ event: "node.synced", block: Number(item.blockNumber) }, "caught up with the chain");
        caughtUp = true;
        worker.wake([...backlog, ...touched]);
        backlog.clear();
      }
    };
    const backlog = new Set<bigint>();

    const glance = (): NodeStatus => {
      const { run, job, waiting } = worker;
      const seats = job?.seats.map(({ endpoint }) => endpoint) ?? [];
      const earnings = journal.earnings();
      return {
        address: account.address,
        name,
        state: worker.state,
        paused: journal.setting("paused") === "1",
        waitingFor: waiting.for,
        ...(waiting.until === undefined ? {} : { waitingUntil: waiting.until }),
        ...(job === undefined ? {} : { job: job.id, totalSteps: job.terms.totalSteps }),
        ...(run === undefined ? {} : { fence: run.fence }),
        ...(run === undefined || telemetry.progress === undefined ? {} : { progress: telemetry.progress }),
        ...(run === undefined || job === undefined
          ? {}
          : { leaseLeftSeconds: Math.max(0, leaseEndsAt(job) - clock.now()) }),
        ...(seats.length === 0 ? {} : { pulses: { connected: pulses.connected(seats), seats: seats.length } }),
        earnings,
        ...(config.coinPrice === undefined ? {} : { net: earnings.accepted - inUsdc(earnings.gas, config.coinPrice) }),
        ...(limits.reason === undefined ? {} : { heldOff: limits.reason }),
        payout,
        ...(host.pid === undefined ? {} : { computePid: host.pid }),
      };
    };
    const setPaused = async (paused: boolean) => {
      await worker.setPaused(paused);
      // A pause waits for the work at hand; whoever asked for the opposite meanwhile has the last word.
      if ((journal.setting("paused") === "1") !== paused) return;
      const { accepting } = await client.read.getProvider({ account: account.address });
      if (accepting === paused)
        await transactions.setAccepting(
          !paused,
          String(await client.public.getTransactionCount({ address: account.address })),
        );
      log.info(
        { event: paused ? "node.paused" : "node.resumed" },
        paused ? "paused: no new lease is taken" : "resumed",
      );
    };

    let ending: Promise<void> | undefined;
    let finish: (error?: unknown) => void = () => undefined;
    const done = new Promise<void>((resolve, reject) => {
      finish = (error) => (error === undefined ? resolve() : reject(error));
    });
    const exit = () => {
      ending ??= (async () => {
        log.info({ event: "node.draining" }, "stopping: what pays is finished, the lease is handed back");
        // A chain that cannot be reached must not keep the node from stopping: its lease expires by itself.
        const longest = config.drainSeconds * 1000 + STOP_MS;
        await Promise.race([worker.drain(), sleep(longest, signal).catch(() => undefined)]);
        await linger();
        await close();
        log.info({ event: "node.stopped" }, "stopped");
        finish();
      })();
      return ending;
    };
    /** The seats need our trace states to judge the last checkpoints quickly; without them they replay from the parent. */
    const linger = async () => {
      const until = monotonicMs() + LINGER_MS;
      const waits = () =>
        tracker
          .active()
          .some(({ id, pending }) =>
            journal.undecided(id).some((own) => own.id !== undefined && pending.includes(own.id)),
          );
      while (waits() && monotonicMs() < until) await sleep(100, signal).catch(() => undefined);
    };

    const control = await serveControl(config.data, {
      status: async () => status(),
      pause: async () => setPaused(true),
      resume: async () => setPaused(false),
      withdraw: async ({ to }) => payOut(to as Address | undefined),
      exit: async () => {
        void exit();
        return { stopping: true };
      },
    });
    closers.push(() => control.close());

    const status = async (): Promise<NodeStatus> => {
      const [{ claimable }, balance, gasPrice] = await Promise.all([
        client.read.getAccount({ account: payout }),
        client.public.getBalance({ address: account.address }),
        client.public.getGasPrice(),
      ]);
      return { ...glance(), claimable, gas: { balance, needed: leaseCost(worker.job ?? TYPICAL_JOB, gasPrice) } };
    };
    const payOut = async (to?: Address) => {
      const nonce = async () => String(await client.public.getTransactionCount({ address: account.address }));
      const result = await withdraw({ address: account.address, client, transactions, nonce }, to);
      log.info(
        { event: "withdrawn", amount: formatUsdc(result.amount) },
        `${formatUsdc(result.amount)} USDC withdrawn`,
      );
      return result;
    };

    if (config.metrics !== undefined) {
      const registry = createNodeMetrics({
        status: glance,
        block: () => Number(tracker.block),
        headAgeMs: () => (client.heads.lastHeadAt === 0 ? 0 : Date.now() - client.heads.lastHeadAt),
        openTransactions: () => sender.open,
        celsius: () => limits.gpu?.celsius,
        watts: () => limits.gpu?.watts,
      });
      const isHealthy = () => Date.now() - client.heads.lastAnswerAt < UNHEALTHY_MS;
      const server = await serveMetrics(config.metrics, registry, isHealthy);
      closers.push(() => server.close());
      log.info(
        { event: "metrics.ready", port: server.port },
        `metrics at http://${config.metrics.host}:${server.port}/metrics`,
      );
    }

    follow().catch(async (error: unknown) => {
      if (signal.aborted) return;
      log.error({ err: error }, "cannot follow the chain any longer");
      await close();
      finish(error);
    });
    deps.signal?.removeEventListener("abort", giveUp);
    deps.signal?.addEventListener("abort", () => void exit(), { once: true });
    if (deps.signal?.aborted) void exit();
    if (journal.setting("paused") !== "1") {
      const { accepting } = await client.read.getProvider({ account: account.address });
      if (!accepting) await setPaused(false);
    }
    log.info(
      { event: "node.ready", address: account.address, nodeName: name, price: formatUsdc(price), payout },
      `${name} is ready: ${account.address}`,
    );
    return {
      address: account.address,
      status,
      glance,
      pause: () => setPaused(true),
      resume: () => setPaused(false),
      withdraw: payOut,
      exit,
      done,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts at another gateway than its neighbours do, so that not all standby nodes fetch from the same one. */
function spread(endpoints: readonly string[], me: string): string[] {
  const from = endpoints.length === 0 ? 0 : Number.parseInt(me.slice(-6), 16) % endpoints.length;
  return [...endpoints.slice(from), ...endpoints.slice(0, from)];
}
