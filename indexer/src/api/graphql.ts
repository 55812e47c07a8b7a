// GraphQL over the tables: Ponder's schema, narrowed to what has an index, widened by what no table holds (status, reserves, the
// audit, why a checkpoint is unpaid) and by a subscription, behind limits on size, depth, cost and time.
import schema from "ponder:schema";
import type { GraphQLSchema } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { MiddlewareHandler } from "hono";
import type { Row } from "../../ledger/tables.ts";
import type { AuditService } from "./audit.ts";
import { MAX_ALIASES, MAX_COST, MAX_DEPTH, queryCost } from "./cost.ts";
import { type IndexedColumns, indexedColumns, narrowFilters, unorderable } from "./indexed.ts";
import { toJson } from "./json.ts";
import type { LiveHub } from "./live.ts";
import { joinRelations } from "./relations.ts";
import { readReserves } from "./reserves.ts";
import { ponderGlobals, runtime } from "./runtime.ts";
import { liveMessages } from "./sse.ts";
import { readStatus } from "./status.ts";
import { whyUnpaid } from "./whyUnpaid.ts";

const MAX_BODY_BYTES = 64 * 1024;
const MAX_TOKENS = 2_000;
const TIMEOUT_MS = 10_000;

const extension = /* GraphQL */ `
  extend type Query {
    "Where chain and ledger stand."
    status: Status!
    "Held and owed by the contract, and the same rebuilt from events, as of one block."
    reserves: Reserves!
    "The continuous self-audit's latest result."
    audit: Audit!
  }
  type Status { version: String! protocolVersion: Int! chainId: Int! schema: String! database: String! state: String!
    behind: Boolean! chain: Position indexed: Position finalized: Position lag: Lag contracts: JSON! uptimeSeconds: Int! }
  type Position { block: Int! timestamp: Int! }
  type Lag { blocks: Int! seconds: Int! }
  type Reserves { block: Int! timestamp: Int! held: BigInt! owed: BigInt! surplus: BigInt! locked: BigInt! claimable: BigInt!
    bonds: BigInt! rebuilt: BigInt! difference: BigInt! }
  type Audit { state: String! ok: Boolean block: Int events: Int digest: String difference: BigInt auditedAt: Int
    sweeps: Int! message: String findings: [Finding!]! }
  type Finding { id: String! title: String! checked: Int! violated: Int! violations: [String!]! }
  extend type checkpoint {
    "Why its provider has not been paid for it yet, and until when that lasts; null once paid."
    whyUnpaid: WhyUnpaid
  }
  type WhyUnpaid { reason: String! text: String! until: Int }
  extend schema { subscription: Subscription }
  type Subscription {
    "Every event as it becomes visible; with after, from that seq on."
    journal(jobId: BigInt, account: String, after: Int): journal!
  }
`;

/** Ponder's schema with the fields above. */
function buildSchema(hub: LiveHub, audit: AuditService, columns: IndexedColumns): GraphQLSchema {
  const { graphql, ponder } = runtime();
  const base = ponder.buildGraphQLSchema({ schema });
  narrowFilters(base, columns, graphql);
  const whole = graphql.extendSchema(base, graphql.parse(extension));
  const query = whole.getQueryType()?.getFields();
  const checkpoint = whole.getType("checkpoint");
  const live = whole.getSubscriptionType()?.getFields().journal;
  if (!query?.status || !query.reserves || !query.audit || !graphql.isObjectType(checkpoint) || !live) {
    throw new Error("the GraphQL extension does not fit the schema");
  }
  query.status.resolve = () => readStatus(hub);
  query.audit.resolve = () => audit.report();
  query.reserves.resolve = async () => {
    if (!hub.isLive()) throw new Error("The ledger is still catching up.");
    const { contract, rebuilt, ...rest } = await readReserves();
    return { ...rest, ...contract, ...rebuilt, owed: contract.owed, rebuilt: rebuilt.owed };
  };
  const unpaid = checkpoint.getFields().whyUnpaid;
  if (unpaid) unpaid.resolve = (row: Row<"checkpoint">) => whyUnpaid(row, Math.floor(Date.now() / 1000));
  joinRelations(whole, graphql);
  live.subscribe = (_root: unknown, args: { jobId?: bigint; account?: string; after?: number }) =>
    journalStream(hub, args);
  return whole;
}

async function* journalStream(
  hub: LiveHub,
  { jobId, account, after }: { jobId?: bigint; account?: string; after?: number },
): AsyncGenerator<{ journal: unknown }> {
  const filter = { job: jobId, account: account?.toLowerCase() };
  const listeners: (() => void)[] = [];
  const stream = { aborted: false, onAbort: (listener: () => void) => void listeners.push(listener) };
  try {
    for await (const message of liveMessages(hub, filter, after, stream)) {
      if (message !== "idle" && message.type === "journal") yield { journal: message.row };
    }
  } finally {
    stream.aborted = true;
    for (const listener of listeners) listener();
  }
}

/** `POST /graphql`: queries and, as server-sent events, subscriptions. `GET` shows an explorer. */
export function graphqlHandler(hub: LiveHub, audit: AuditService): MiddlewareHandler {
  const { graphql, yoga: yogaModule, ponder } = runtime();
  const columns = indexedColumns(schema);
  const limits: Plugin = {
    onParse() {
      return ({ result, replaceParseResult }) => {
        const document = result as { loc?: { startToken: { next: unknown } | null } } | Error;
        if (document instanceof Error) return;
        let tokens = 0;
        for (let token: unknown = document.loc?.startToken; token; token = (token as { next: unknown }).next) tokens++;
        const refuse = (what: string) => replaceParseResult(new graphql.GraphQLError(what));
        if (tokens > MAX_TOKENS) refuse(`The query has ${tokens} tokens, at most ${MAX_TOKENS} are allowed.`);
      };
    },
    onExecute({ args, setResultAndStopExecution }) {
      const document = args.document;
      const variables = (args.variableValues ?? {}) as Record<string, unknown>;
      const { rows, depth, aliases } = queryCost({ document, operationName: args.operationName, variables });
      const wrong = unorderable(document, args.schema, columns, graphql, variables);
      const refuse = (text: string) => setResultAndStopExecution({ errors: [new graphql.GraphQLError(text)] });
      if (depth > MAX_DEPTH) refuse(`The query is ${depth} levels deep, at most ${MAX_DEPTH} are allowed.`);
      else if (rows > MAX_COST)
        refuse(`The query may return ${rows} rows, at most ${MAX_COST} are allowed: set smaller limits.`);
      else if (aliases > MAX_ALIASES) refuse(`The query has ${aliases} aliases, at most ${MAX_ALIASES} are allowed.`);
      else if (wrong) refuse(wrong);
    },
  };
  const yoga = yogaModule.createYoga({
    graphqlEndpoint: "*",
    schema: buildSchema(hub, audit, columns),
    context: () => {
      const qb = ponderGlobals().PONDER_DATABASE.readonlyQB;
      return { qb, getDataLoader: ponder.buildDataLoaderCache(qb) };
    },
    // Resolvers' errors name tables and columns, all of which introspection shows anyway; they help whoever writes a query.
    maskedErrors: false,
    logging: false,
    graphiql: { title: "GPUChain ledger", defaultQuery: "{ status { state lag { blocks } } }" },
    batching: false,
    plugins: [limits],
  });
  return async (context) => {
    const length = Number(context.req.header("content-length") ?? 0);
    if (length > MAX_BODY_BYTES) {
      return context.json({ errors: [{ message: `The request is larger than ${MAX_BODY_BYTES} bytes.` }] }, 413);
    }
    const body = context.req.method === "POST" ? await context.req.text() : undefined;
    if (body !== undefined && body.length > MAX_BODY_BYTES) {
      return context.json({ errors: [{ message: `The request is larger than ${MAX_BODY_BYTES} bytes.` }] }, 413);
    }
    const { url, method, headers, signal } = context.req.raw;
    const request = new Request(url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
    const streams = (context.req.header("accept") ?? "").includes("text/event-stream");
    const answer = Promise.resolve(yoga.fetch(request));
    if (streams) return answer;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Response>((resolve) => {
      timer = setTimeout(
        () =>
          resolve(
            new Response(toJson({ errors: [{ message: `The query took longer than ${TIMEOUT_MS / 1000} s.` }] }), {
              status: 503,
              headers: { "content-type": "application/json" },
            }),
          ),
        TIMEOUT_MS,
      );
    });
    return Promise.race([answer, late]).finally(() => clearTimeout(timer));
  };
}
