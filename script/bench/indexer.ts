// npm run bench:indexer: the ledger on real events of the real contracts: backfill, queries, live updates, idle cost, audit.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { PublicClient } from "viem";
import { auditDeployment } from "../audit/auditDeployment.ts";
import { root } from "../lib/root.ts";
import { benchDatabase, type DatabaseFigures, quantile } from "./load/benchDatabase.ts";
import { startEventChain, toggle } from "./load/eventChain.ts";
import { startTestPostgres } from "./load/testPostgres.ts";

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "50000" },
    databases: { type: "string", default: "pglite,postgres" },
    json: { type: "string" },
  },
});

const folder = mkdtempSync(path.join(tmpdir(), "gpuchain-bench-indexer-"));
const stops: (() => Promise<unknown> | unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
try {
  await main();
} finally {
  for (const stop of stops.reverse()) await stop();
}

async function main(): Promise<void> {
  const { rpc, network, events, seconds: loadSeconds, stop: stopChain } = await startEventChain(Number(values.events));
  stops.push(stopChain);
  console.log(`${events} real events in ${loadSeconds.toFixed(0)} s`);
  const file = path.join(folder, "deployment.json");
  writeFileSync(
    file,
    JSON.stringify(network.deployment, (_key, value) => (typeof value === "bigint" ? Number(value) : value)),
  );

  const results: Record<string, DatabaseFigures> = {};
  for (const database of values.databases.split(",")) {
    let databaseUrl: string | undefined;
    let stop: (() => Promise<void>) | undefined;
    if (database === "postgres") {
      const postgres = await startTestPostgres();
      ({ url: databaseUrl, stop } = postgres);
    }
    try {
      const env = {
        ...process.env,
        ...{ PONDER_RPC_URL: rpc, DEPLOYMENT_FILE: file, PGLITE_DIRECTORY: path.join(folder, "pglite"), PORT: "0" },
        ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      };
      const entry = path.join(root, "indexer/bin/start.mjs");
      results[database] = await benchDatabase({ entry, env, network, emit: (index) => toggle(network, index) });
      print(database, results[database]);
    } finally {
      await stop?.();
    }
  }
  const audit = await auditDeployment({
    ...{ client: network.client as unknown as PublicClient, deployment: network.deployment, block: "latest" },
  });
  console.log(`audit from logs alone: ${audit.events} events in ${audit.seconds.toFixed(1)} s, ok ${audit.ok}`);
  if (values.json) {
    const report = { events, loadSeconds, databases: results, audit: { seconds: audit.seconds, ok: audit.ok } };
    writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
  }
}

function print(database: string, figures: DatabaseFigures): void {
  const { backfill, query, live, idle, memoryMb } = figures;
  console.table({
    [database]: {
      "events/s": Math.round(backfill.eventsPerSecond),
      "backfill s": Number(backfill.seconds.toFixed(1)),
      "backfill CPU s": Number(backfill.cpuSeconds.toFixed(1)),
      "peak MB": Math.round(memoryMb),
      "job page p50 ms": Number(quantile(query.jobPage, 0.5).toFixed(1)),
      "job page p95 ms": Number(quantile(query.jobPage, 0.95).toFixed(1)),
      "provider p95 ms": Number(quantile(query.provider, 0.95).toFixed(1)),
      "live p50 ms": Number(quantile(live, 0.5).toFixed(0)),
      "live p95 ms": Number(quantile(live, 0.95).toFixed(0)),
      "idle CPU %": Number((idle.cpuShare * 100).toFixed(1)),
    },
  });
}
