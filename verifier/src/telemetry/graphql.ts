import type { Evidence } from "@gpuchain/sdk/gateway";
import { canonicalJson } from "@gpuchain/sdk/records";
import { createSchema, createYoga, Repeater } from "graphql-yoga";
import type { JobBook } from "../chain/jobBook.ts";
import type { PulseHub } from "../pulse/hub.ts";
import { queryLimits } from "./queryLimits.ts";
import type { Receipts, SignedReceipt } from "./receipts.ts";
import type { StoredLog, StoredStep, TelemetryStore } from "./telemetryStore.ts";

const typeDefs = /* GraphQL */ `
  type Query {
    "This gateway's verifier."
    verifier: Verifier!
    "Steps of a job in rising order, as its leaseholders reported them; all fences unless one is given."
    steps(job: ID!, fence: Int, after: Int = -1, limit: Int = 1000): [Step!]!
    "Log lines of a job's leaseholders, oldest first, after the line with this id."
    logs(job: ID!, after: Int = 0, limit: Int = 500): [LogLine!]!
    "Signed receipts of the hand-overs this seat saw."
    receipts(job: ID!): [Receipt!]!
    "Who is connected, or was within the last hour."
    pulses: [Pulse!]!
    "Why this verifier voted as it did on a checkpoint; null before it has."
    evidence(checkpoint: ID!): Evidence
  }
  type Subscription {
    stepsAdded(job: ID!): [Step!]!
    logsAdded(job: ID!): [LogLine!]!
    receiptAdded(job: ID!): Receipt!
    pulseChanged: Pulse!
  }
  type Verifier {
    address: ID!
    block: Int!
    timestamp: Int!
    connections: Int!
  }
  type Step {
    fence: Int!
    step: Int!
    loss: Float!
    learningRate: Float!
    "Wall-clock time of the step, in milliseconds."
    ms: Float!
    "When the node finished it, epoch milliseconds by its own clock."
    at: Float!
    microBatch: Int
    tokensPerSecond: Float
    memoryMb: Float
  }
  type LogLine {
    id: Int!
    fence: Int!
    at: Float!
    level: String!
    message: String!
  }
  type Receipt {
    fence: Int!
    nextFence: Int!
    from: ID!
    to: ID!
    cause: String!
    silentAt: Float!
    signedAt: Float
    endedAt: Float!
    acquiredAt: Float!
    firstStepAt: Float!
    silentToEndedMs: Float!
    endedToAcquiredMs: Float!
    acquiredToFirstStepMs: Float!
    endedBlock: Int!
    acquiredBlock: Int!
    lastStep: Int
    resumedFrom: Int!
    stepsLost: Int
    moneyMoved: String!
    verifier: ID!
    "The exact text that was signed (EIP-191): RFC 8785 JSON of the whole receipt."
    signedJson: String!
    signature: String!
  }
  type Pulse {
    address: ID!
    connected: Boolean!
    "Milliseconds since the last beat."
    silentMs: Float!
    job: ID
    fence: Int
    step: Int
    standby: Boolean
  }
  type Gate {
    gate: String!
    ok: Boolean!
    reason: String!
    ms: Float!
    fromStep: Int
    toStep: Int
    distanceParams: Float
    distanceMoment: Float
    source: String
    accuracy: Float
    balancedAccuracy: Float
    nll: Float
  }
  type Evidence {
    checkpoint: ID!
    outcome: String!
    metTarget: Boolean!
    score: Float!
    judgedAt: Float!
    gates: [Gate!]!
  }
`;

export interface GraphqlParameters {
  readonly book: JobBook;
  readonly hub: PulseHub;
  readonly telemetry: TelemetryStore;
  readonly receipts: Receipts;
  readonly evidence: (checkpointId: bigint) => Evidence | undefined;
}

const MAX_ROWS = 5_000;
/** Items that wait for a slow subscriber before the oldest are dropped. */
const MAX_WAITING = 256;

/** GraphQL over HTTP, subscriptions over server-sent events, for curves, logs, receipts and pulses. */
export function createGraphql({ book, hub, telemetry, receipts, evidence }: GraphqlParameters) {
  const id = (value: string): bigint => (/^\d{1,78}$/.test(value) ? BigInt(value) : -1n);
  const clamp = (limit: number): number => Math.max(1, Math.min(MAX_ROWS, limit));
  const pulseOf = (address: string) => {
    const pulse = hub.pulse(address);
    const status = pulse?.status;
    return {
      address,
      connected: (pulse?.open ?? 0) > 0,
      silentMs: pulse === undefined ? 0 : performance.now() - pulse.lastBeatAt,
      job: status?.jobId?.toString(),
      fence: status?.fence === undefined ? undefined : Number(status.fence),
      step: status?.step,
      standby: status?.standby,
    };
  };
  const follow = <T>(start: (push: (item: T) => void) => () => void) =>
    new Repeater<T>(async (push, stop) => {
      const waiting: T[] = [];
      let draining = false;
      const drain = async (): Promise<void> => {
        if (draining) return;
        draining = true;
        for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await push(item);
        draining = false;
      };
      const end = start((item) => {
        waiting.push(item);
        if (waiting.length > MAX_WAITING) waiting.shift();
        void drain();
      });
      await stop;
      end();
    });

  const schema = createSchema({
    typeDefs,
    resolvers: {
      Query: {
        verifier: () => ({
          address: book.self,
          block: Number(book.block),
          timestamp: book.timestamp,
          connections: hub.connections,
        }),
        steps: (_: unknown, args: { job: string; fence?: number; after: number; limit: number }) =>
          telemetry
            .steps(id(args.job), {
              after: args.after,
              limit: clamp(args.limit),
              ...(args.fence == null ? {} : { fence: BigInt(args.fence) }),
            })
            .map(showStep),
        logs: (_: unknown, args: { job: string; after: number; limit: number }) =>
          telemetry.logs(id(args.job), { after: args.after, limit: clamp(args.limit) }).map(showLog),
        receipts: (_: unknown, args: { job: string }) => receipts.of(id(args.job)).map(showReceipt),
        pulses: () => hub.addresses().map(pulseOf),
        evidence: (_: unknown, args: { checkpoint: string }) => showEvidence(evidence(id(args.checkpoint))),
      },
      Subscription: {
        stepsAdded: {
          subscribe: (_: unknown, args: { job: string }) =>
            follow<StoredStep[]>((push) =>
              telemetry.subscribe({ onSteps: (job, steps) => job === id(args.job) && push([...steps]) }),
            ),
          resolve: (steps: StoredStep[]) => steps.map(showStep),
        },
        logsAdded: {
          subscribe: (_: unknown, args: { job: string }) =>
            follow<StoredLog[]>((push) =>
              telemetry.subscribe({ onLogs: (job, logs) => job === id(args.job) && push([...logs]) }),
            ),
          resolve: (logs: StoredLog[]) => logs.map(showLog),
        },
        receiptAdded: {
          subscribe: (_: unknown, args: { job: string }) =>
            follow<SignedReceipt>((push) =>
              receipts.subscribe((signed) => signed.receipt.job === args.job && push(signed)),
            ),
          resolve: showReceipt,
        },
        pulseChanged: {
          subscribe: () => follow<string>((push) => hub.subscribe({ onEdge: (address) => push(address) })),
          resolve: pulseOf,
        },
      },
    },
  });
  return createYoga({
    schema,
    graphqlEndpoint: "/graphql",
    plugins: [queryLimits],
    landingPage: false,
    logging: false,
    cors: { origin: "*", methods: ["GET", "POST", "OPTIONS"] },
  });
}

const showStep = ({ fence, lr, ...step }: StoredStep) => ({ ...step, fence: Number(fence), learningRate: lr });
const showLog = ({ fence, ...line }: StoredLog) => ({ ...line, fence: Number(fence) });

function showReceipt({ receipt, signature }: SignedReceipt) {
  const { phases, ...rest } = receipt;
  return {
    ...rest,
    silentToEndedMs: phases.silentToEnded,
    endedToAcquiredMs: phases.endedToAcquired,
    acquiredToFirstStepMs: phases.acquiredToFirstStep,
    signedJson: canonicalJson(receipt),
    signature,
  };
}

function showEvidence(found: Evidence | undefined) {
  if (found === undefined) return undefined;
  const { checkpointId, outcome, metTarget, score, judgedAt, gates } = found;
  return {
    checkpoint: checkpointId,
    outcome,
    metTarget,
    score: score / 1e6,
    judgedAt,
    gates: gates.map(({ interval, distance, metrics, ...gate }) => ({
      ...gate,
      ...interval,
      ...metrics,
      distanceParams: distance?.params,
      distanceMoment: distance?.moment,
    })),
  };
}
