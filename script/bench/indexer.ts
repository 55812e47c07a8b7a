// npm run bench:indexer: the ledger on real events of the real contracts: backfill, queries, live updates, idle cost, audit.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { registryAbi } from "@gpuchain/sdk/chain";
import { type Abi, type PublicClient, toHex } from "viem";
import { auditDeployment } from "../audit/auditDeployment.ts";
import { foundryBinary } from "../forge.mjs";
import { root } from "../lib/root.ts";
import { benchDatabase, type DatabaseFigures, quantile } from "./load/benchDatabase.ts";
import { createLoadNetwork, type LoadNetwork } from "./load/loadNetwork.ts";
import { type Life, runJobs, withdrawAll } from "./load/runLoad.ts";
import { startTestPostgres } from "./load/testPostgres.ts";

const ROUND: Life[] = [
  ...Array.from({ length: 14 }, (): Life => "plain"),
  ...(["evicted", "evicted", "refused", "refused", "cancelled", "disputed"] as const),
];
/** Ponder's finality on a chain it does not know: what lies deeper comes by backfill. */
const FINALITY = 30;

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
  const rpc = await startChain();
  const started = performance.now();
  const network = await createLoadNetwork(rpc);
  const events = await writeEvents(network, Number(values.events));
  const loadSeconds = (performance.now() - started) / 1000;
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

async function startChain(): Promise<string> {
  const args = ["--port", "0", "--no-mining", "--prune-history", "256", "--order", "fifo", "--no-request-size-limit"];
  const child = spawn(foundryBinary("anvil"), args, { stdio: ["ignore", "pipe", "inherit"] });
  stops.push(() => child.kill("SIGKILL"));
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /Listening on .*:(\d+)$/.exec(line)?.[1];
    if (!port) continue;
    child.stdout.resume();
    return `http://127.0.0.1:${port}`;
  }
  throw new Error("anvil did not start");
}

/** Runs jobs until there are enough events, then buries them below the indexer's finality. */
async function writeEvents(network: LoadNetwork, wanted: number): Promise<number> {
  const { client, deployment } = network;
  const count = async (fromBlock: bigint) => {
    const { jobs, escrow, registry, court } = deployment.contracts;
    const filter = { address: [jobs, escrow, registry, court], fromBlock: toHex(fromBlock), toBlock: "latest" };
    return ((await client.request({ method: "eth_getLogs", params: [filter] } as never)) as unknown[]).length;
  };
  let events = 0;
  let from = deployment.startBlock;
  for (let next = 1n; events < wanted; next += BigInt(ROUND.length)) {
    await runJobs(network, ROUND, next);
    events += await count(from);
    from = (await client.getBlockNumber({ cacheTime: 0 })) + 1n;
    if (process.stderr.isTTY) process.stderr.write(`\x1b[2K\r${events} events`);
  }
  await withdrawAll(network);
  events += await count(from);
  await client.mine({ blocks: FINALITY + 5 });
  await network.resync();
  return events;
}

/** One real event in a block of its own. */
async function toggle({ deployment, providers, queue, block }: LoadNetwork, index: number): Promise<void> {
  const from = providers[0]?.address ?? "0x";
  const call = { to: deployment.contracts.registry, abi: registryAbi as Abi, functionName: "setAccepting" };
  queue([{ ...call, from, args: [index % 2 === 1] }]);
  await block();
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
