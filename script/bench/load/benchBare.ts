import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { root } from "../../lib/root.ts";

export interface BareFigures {
  seconds: number;
  eventsPerSecond: number;
}

/** Backfills with a handler that only writes a row for each event: what any ledger on this machine has to be measured against. */
export async function benchBare({
  rpc,
  deployment,
  events,
  databaseUrl,
  directory,
  port,
}: {
  rpc: string;
  /** deployment as JSON */
  deployment: string;
  events: number;
  databaseUrl: string | undefined;
  /** PGlite's folder, where no `databaseUrl` is given */
  directory: string;
  port: number;
}): Promise<BareFigures> {
  const project = path.join(root, "indexer/bare");
  const ponder = path.join(root, "node_modules/ponder/dist/esm/bin/ponder.js");
  const child = spawn(
    process.execPath,
    [ponder, "start", "--root", project, "--schema", "bare", "--port", String(port), "--log-format", "json"],
    {
      cwd: project,
      env: {
        ...process.env,
        ...{ GPUCHAIN_RPC_URL: rpc, GPUCHAIN_DEPLOYMENT: deployment, PONDER_TELEMETRY_DISABLED: "true" },
        ...(databaseUrl ? { DATABASE_URL: databaseUrl, GPUCHAIN_PGLITE: "" } : { GPUCHAIN_PGLITE: directory }),
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  try {
    const seconds = await new Promise<number>((resolve, reject) => {
      let from = 0;
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line.includes("Started backfill indexing")) from = performance.now();
        if (line.includes("Completed backfill indexing")) resolve((performance.now() - from) / 1000);
      });
      void gone.then((code) => reject(new Error(`the bare handler ended with ${code}`)));
    });
    return { seconds, eventsPerSecond: events / seconds };
  } finally {
    child.kill("SIGTERM");
    await gone;
  }
}
