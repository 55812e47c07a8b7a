import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type RunningProcess, start } from "./processes.ts";

const entry = fileURLToPath(new URL("../../bin/start.mjs", import.meta.url));

export interface Indexer {
  url: string;
  schema: string;
  process: RunningProcess;
  /** Data of a GraphQL query. @throws when it answers with errors */
  query<T = Record<string, unknown>>(text: string, variables?: Record<string, unknown>): Promise<T>;
  /** A GraphQL answer as it is. */
  raw(text: string, variables?: Record<string, unknown>): Promise<{ data?: unknown; errors?: { message: string }[] }>;
  get<T = Record<string, unknown>>(path: string): Promise<T>;
  /** Waits until a condition on the ledger holds. */
  until(what: string, condition: () => Promise<boolean>): Promise<void>;
}

/** Folder of one deployment's indexer: its deployment file and, for PGlite, its data. */
export async function createHome(deployment: unknown): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "gpuchain-indexer-"));
  const text = JSON.stringify(deployment, (_key, value) => (typeof value === "bigint" ? Number(value) : value));
  await writeFile(join(path, "deployment.json"), text);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Environment of `bin/start.mjs` for a home. */
export function indexerEnv(home: string, rpc: string, more: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...{ PONDER_RPC_URL: rpc, DEPLOYMENT_FILE: join(home, "deployment.json"), PGLITE_DIRECTORY: join(home, "pglite") },
    ...{ PORT: "0", LOG_LEVEL: "warn", ...more },
  };
}

/** Starts the indexer with whatever environment and does not wait. */
export function spawnIndexer(env: NodeJS.ProcessEnv): RunningProcess {
  return start(process.execPath, [entry], { env });
}

/**
 * Starts the indexer and waits until its backfill is done.
 * @param onSpawn told of the process at once, so that it can be stopped even when the wait is given up
 */
export async function startIndexer(
  home: string,
  rpc: string,
  more: Record<string, string>,
  onSpawn: (running: RunningProcess) => void,
): Promise<Indexer> {
  const running = spawnIndexer(indexerEnv(home, rpc, more));
  onSpawn(running);
  const { schema } = JSON.parse(await running.line(/"indexer.starting"/)) as { schema: string };
  const { url } = JSON.parse(await running.line(/"indexer.ready"/)) as { url: string };
  const raw: Indexer["raw"] = async (query, variables) => {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables }),
    });
    return response.json() as ReturnType<Indexer["raw"]>;
  };
  return {
    ...{ url, schema, process: running, raw },
    async query<T>(text: string, variables?: Record<string, unknown>) {
      const { data, errors } = await raw(text, variables);
      if (errors) throw new Error(errors.map(({ message }) => message).join("; "));
      return data as T;
    },
    async get<T>(path: string) {
      const response = await fetch(url + path);
      return response.json() as Promise<T>;
    },
    async until(what, condition) {
      const stream = await fetch(`${url}/live`, { headers: { accept: "text/event-stream" } });
      const reader = stream.body?.getReader();
      const timer = setTimeout(() => void reader?.cancel(), 120_000);
      try {
        // Every block is a reason to look again.
        while (!(await condition())) {
          const piece = await reader?.read();
          if (!piece || piece.done) throw new Error(`${what} did not come about:\n${running.output()}`);
        }
      } finally {
        clearTimeout(timer);
        await reader?.cancel();
      }
    },
  };
}
