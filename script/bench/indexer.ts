// npm run bench:indexer: the ledger on real events of the real contracts: backfill, queries, live updates, idle cost, audit.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { PublicClient } from "viem";
import { auditDeployment } from "../audit/auditDeployment.ts";
import { freePort } from "../lib/processes.ts";
import { root } from "../lib/root.ts";
import { type BareFigures, benchBare } from "./load/benchBare.ts";
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
  const deployment = JSON.stringify(network.deployment, (_key, value) =>
    typeof value === "bigint" ? Number(value) : value,
  );
  writeFileSync(file, deployment);

  const results: Record<string, DatabaseFigures & { bare: BareFigures }> = {};
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
      const directory = path.join(folder, "bare");
      const bare = await benchBare({ rpc, deployment, events, databaseUrl, directory, port: await freePort(0) });
      const entry = path.join(root, "indexer/bin/start.mjs");
      const figures = await benchDatabase({ entry, env, network, emit: (index) => toggle(network, index) });
      results[database] = { ...figures, bare };
    } finally {
      await stop?.();
    }
  }
  print(results);
  const audit = await auditDeployment({
    ...{ client: network.client as unknown as PublicClient, deployment: network.deployment, block: "latest" },
  });
  console.log(`audit from logs alone: ${audit.events} events in ${audit.seconds.toFixed(1)} s, ok ${audit.ok}`);
  if (values.json) {
    const report = { events, loadSeconds, databases: results, audit: { seconds: audit.seconds, ok: audit.ok } };
    writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
  }
}

/** One row a figure, one column a database. */
function print(results: Record<string, DatabaseFigures & { bare: BareFigures }>): void {
  const rows: Record<string, Record<string, number>> = {};
  for (const [database, { backfill, bare, query, live, idle, memoryMb }] of Object.entries(results)) {
    const figures = {
      "backfill, events/s": Math.round(backfill.eventsPerSecond),
      "bare handler, events/s": Math.round(bare.eventsPerSecond),
      "backfill, s": Number(backfill.seconds.toFixed(1)),
      "backfill, CPU s": Number(backfill.cpuSeconds.toFixed(1)),
      "most memory, MB": Math.round(memoryMb),
      "job page p50, ms": Number(quantile(query.jobPage, 0.5).toFixed(1)),
      "job page p95, ms": Number(quantile(query.jobPage, 0.95).toFixed(1)),
      "provider's record p95, ms": Number(quantile(query.provider, 0.95).toFixed(1)),
      "mined to visible p50, ms": Number(quantile(live, 0.5).toFixed(0)),
      "mined to visible p95, ms": Number(quantile(live, 0.95).toFixed(0)),
      "CPU when idle, %": Number((idle.cpuShare * 100).toFixed(1)),
    };
    for (const [name, value] of Object.entries(figures)) rows[name] = { ...rows[name], [database]: value };
  }
  console.table(rows);
}
