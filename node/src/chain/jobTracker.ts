import {
  checkpointIndexOf,
  type FeedBlock,
  type GpuchainClient,
  type GpuchainEvent,
  type GpuchainEventArgs,
  genesisIdOf,
  jobIdOf,
} from "@gpuchain/sdk/chain";
import type { Hex } from "@gpuchain/sdk/records";
import type { Address, CheckpointView, JobView } from "./jobView.ts";

type Reads = GpuchainClient["read"];
type Terms = GpuchainEventArgs<"JobPosted">["terms"];

interface TrackedJob {
  readonly id: bigint;
  readonly client: Address;
  readonly terms: Terms;
  readonly postedBlock: bigint;
  /** chain time at which it was posted and its first auction began */
  readonly postedAt: number;
  settled: boolean;
  /** until when we may not lease it, in chain time */
  coolingUntil: number;
  readonly commits: Map<bigint, CheckpointView & { block: bigint }>;
  view: JobView | undefined;
}

export interface JobTracker {
  /** Takes in a block's events; returns the jobs that they concern. */
  apply(block: FeedBlock): Set<bigint>;
  /** Forgets what abandoned blocks said; returns the jobs to be read again. */
  rewind(block: bigint): Set<bigint>;
  /** Reads a job's present state from the chain. */
  refresh(id: bigint): Promise<JobView | undefined>;
  view(id: bigint): JobView | undefined;
  /** jobs that are not settled, by id */
  active(): JobView[];
  /** Whether a job's money is settled: nothing of it is needed any more. */
  isSettled(id: bigint): boolean;
  /** how many are */
  readonly settled: number;
  /** whole number of chain seconds until which this node may not lease the job; `Infinity` when it is barred */
  coolingUntil(id: bigint): number;
  checkpoint(id: bigint): CheckpointView | undefined;
  /** gateways of all registered verifiers */
  endpoints(): string[];
  /** newest block taken in */
  readonly block: bigint;
}

const FOREVER = 2 ** 40 - 1;
const lower = (address: string) => address.toLowerCase() as Address;

/**
 * The jobs of a deployment as this node sees them: what never changes, and hashes, from events; what moves, from reads at the newest
 * block. Reading is asked for where an event says that something moved, so that no rule of the contracts is written here twice.
 */
export function createJobTracker(read: Reads, self: string): JobTracker {
  const jobs = new Map<bigint, TrackedJob>();
  const verifiers = new Map<string, { endpoint: string; block: bigint }>();
  const me = lower(self);
  let block = 0n;

  const onEvent = (event: GpuchainEvent, time: number): bigint | undefined => {
    switch (event.eventName) {
      case "JobPosted": {
        const { jobId, client, terms } = event.args;
        jobs.set(jobId, {
          id: jobId,
          client: lower(client),
          terms,
          postedBlock: event.blockNumber,
          postedAt: time,
          settled: false,
          coolingUntil: 0,
          commits: new Map(),
          view: undefined,
        });
        return jobId;
      }
      case "CheckpointCommitted": {
        const { checkpointId: id, jobId, parentId, fence, step, stateHash, traceRoot } = event.args;
        jobs.get(jobId)?.commits.set(id, {
          id,
          index: checkpointIndexOf(id),
          parent: checkpointIndexOf(parentId),
          fence: BigInt(fence),
          step,
          stateHash,
          traceRoot,
          block: event.blockNumber,
        });
        return jobId;
      }
      case "ProviderCooling": {
        const job = jobs.get(event.args.jobId);
        if (job !== undefined && lower(event.args.provider) === me) job.coolingUntil = event.args.until;
        return event.args.jobId;
      }
      case "JobSettled": {
        const job = jobs.get(event.args.jobId);
        if (job !== undefined) job.settled = true;
        return event.args.jobId;
      }
      case "VerifierRegistered":
      case "VerifierUpdated":
        verifiers.set(lower(event.args.verifier), { endpoint: event.args.profile.endpoint, block: event.blockNumber });
        return undefined;
      case "Exited":
        verifiers.delete(lower(event.args.account));
        return undefined;
      default:
        if (event.contract !== "jobs") return undefined;
        if ("jobId" in event.args) return event.args.jobId;
        return "checkpointId" in event.args ? jobIdOf(event.args.checkpointId) : undefined;
    }
  };

  /** Genesis goes by its id or by 0. */
  const lookUp = (job: TrackedJob, id: bigint): CheckpointView | undefined =>
    checkpointIndexOf(id) === 0 ? genesisOf(job) : job.commits.get(id);
  const checkpoint = (id: bigint): CheckpointView | undefined => {
    const job = jobs.get(jobIdOf(id));
    return job === undefined ? undefined : lookUp(job, id);
  };

  return {
    get block() {
      return block;
    },
    apply(item) {
      block = item.blockNumber;
      const touched = new Set<bigint>();
      for (const event of item.events) {
        const id = onEvent(event, Number(item.timestamp));
        if (id !== undefined) touched.add(id);
      }
      return touched;
    },
    rewind(to) {
      block = to;
      for (const [id, job] of jobs) {
        if (job.postedBlock > to) jobs.delete(id);
        for (const [commit, { block: at }] of job.commits) if (at > to) job.commits.delete(commit);
        // Too early is found out when the bid is tried; barred for good, too.
        job.coolingUntil = 0;
        job.settled = false;
        // Shown on until it is read again, but no newer than anything that comes now.
        if (job.view !== undefined) job.view = { ...job.view, block: 0n };
      }
      return new Set(jobs.keys());
    },
    async refresh(id) {
      const job = jobs.get(id);
      if (job === undefined || job.settled) return undefined;
      const at = block;
      const [now, lease, queue, seats] = await Promise.all([
        read.getJob({ jobId: id }),
        read.getLease({ jobId: id }),
        read.getQueue({ jobId: id }),
        read.getSeats({ jobId: id }),
      ]);
      const head = lookUp(job, queue.headId);
      const tail = lookUp(job, queue.tipId);
      // A commit newer than our events: they are about to bring it, and this job is read again then.
      if (head === undefined || tail === undefined) return job.view;
      if (job.view !== undefined && job.view.block > at) return job.view;
      const { terms } = job;
      job.view = {
        id,
        block: at,
        terms: {
          client: job.client,
          specHash: terms.specHash,
          genesisHash: terms.genesisHash,
          eligibilityRoot: BigInt(terms.eligibilityRoot) === 0n ? undefined : terms.eligibilityRoot,
          totalSteps: terms.totalSteps,
          checkpointInterval: terms.checkpointInterval,
          maxPricePerStep: terms.maxPricePerStep,
          verifierFee: terms.verifierFee,
          leaseDuration: terms.leaseDuration,
          segmentTimeout: terms.segmentTimeout,
          pulseTimeoutMs: terms.pulseTimeoutMs,
          auctionRamp: terms.auctionRamp,
          deadline: now.deadline,
          gracePeriod: terms.gracePeriod,
        },
        status: now.status === "None" ? "Settled" : now.status,
        draining: now.draining,
        lease: {
          fence: BigInt(lease.fence),
          live: lease.live,
          provider: lease.fence === 0 ? undefined : lower(lease.provider),
          price: lease.pricePerStep,
          expiresAt: lease.expiresAt,
          stallsAt: lease.stallsAt,
          committed: lease.committed,
          openSince: lease.fence === 0 ? job.postedAt : lease.openSince,
        },
        head,
        tail,
        pending: queue.pending,
        drawn: seats.drawn,
        seatsCallable: seats.callable,
        seats: seats.drawn
          ? seats.seats.flatMap(({ verifier }) => {
              const endpoint = verifiers.get(lower(verifier))?.endpoint;
              return endpoint === undefined ? [] : [{ verifier: lower(verifier), endpoint }];
            })
          : [],
      };
      return job.view;
    },
    view: (id) => jobs.get(id)?.view,
    isSettled: (id) => jobs.get(id)?.settled === true,
    get settled() {
      return [...jobs.values()].filter(({ settled }) => settled).length;
    },
    active: () => [...jobs.values()].flatMap((job) => (job.settled || job.view === undefined ? [] : [job.view])),
    coolingUntil(id) {
      const until = jobs.get(id)?.coolingUntil ?? 0;
      return until >= FOREVER ? Number.POSITIVE_INFINITY : until;
    },
    checkpoint,
    endpoints: () => [...new Set([...verifiers.values()].map(({ endpoint }) => endpoint))],
  };
}

function genesisOf({ id, terms }: { id: bigint; terms: Terms }): CheckpointView {
  return {
    id: genesisIdOf(id),
    index: 0,
    parent: 0,
    fence: 0n,
    step: 0,
    stateHash: terms.genesisHash,
    traceRoot: `0x${"0".repeat(64)}` as Hex,
  };
}
