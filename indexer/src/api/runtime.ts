// What bin/start.mjs and Ponder leave on globalThis for the API, in one typed place. graphql must be the very copy that Ponder
// builds its schema with, which an import from here (through Ponder's own loader) would not be.
import type { GraphQLSchema } from "graphql";

export interface DeploymentInfo {
  protocolVersion: number;
  chainId: number;
  startBlock: number;
  contracts: Record<"jobs" | "escrow" | "registry" | "court" | "usdc" | "lens", `0x${string}`>;
}

interface Runtime {
  settings: { deployment: DeploymentInfo; databaseUrl?: string; audit: boolean; finality: number };
  schema: string;
  anchorHash: `0x${string}`;
  startedAt: number;
  version: string;
  graphql: typeof import("graphql");
  yoga: typeof import("graphql-yoga");
  prometheus: typeof import("prom-client");
  ponder: {
    buildGraphQLSchema(parameters: { schema: Record<string, unknown> }): GraphQLSchema;
    buildDataLoaderCache(queryBuilder: unknown): unknown;
  };
}

interface Notifier {
  query(text: string): Promise<unknown>;
}

interface PonderGlobals {
  PONDER_DATABASE: {
    readonlyQB: unknown;
    driver:
      | {
          dialect: "pglite";
          instance: Notifier & { onNotification(listener: (channel: string, payload: string) => void): () => void };
        }
      | {
          dialect: "postgres";
          admin: {
            connect(): Promise<
              Notifier & {
                on(event: "notification", listener: () => void): void;
                on(event: "error", listener: (error: Error) => void): void;
                release(): void;
              }
            >;
          };
        };
  };
  PONDER_COMMON: {
    metrics: { registry: import("prom-client").Registry };
    apiShutdown: { add(step: () => unknown): void; isKilled: boolean };
    logger: {
      info(entry: { msg: string }): void;
      warn(entry: { msg: string; error?: Error }): void;
      error(entry: { msg: string; error?: Error }): void;
    };
  };
}

const globals = globalThis as unknown as { gpuchainIndexer?: Runtime } & PonderGlobals;

/** @throws when Ponder was started by hand, without the checks of bin/start.mjs */
export function runtime(): Runtime {
  if (!globals.gpuchainIndexer) throw new Error("start the indexer with bin/start.mjs");
  return globals.gpuchainIndexer;
}

/** Ponder's own objects, as pinned. */
export function ponderGlobals(): PonderGlobals {
  return globals;
}
