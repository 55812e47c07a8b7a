#!/usr/bin/env node
// Starts the ledger: checks what Ponder would not (deployment, chain, port, stale locks), names the schema after the
// deployment so that two chains can never share one, then runs Ponder in this same process (one process, plain signals).
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { claimDirectory, releaseStaleLock } from "../lib/lock.mjs";
import { checkChain } from "../lib/network.mjs";
import { ponderDist, root } from "../lib/paths.mjs";
import { freePort } from "../lib/port.mjs";
import { schemaName } from "../lib/schemaName.mjs";
import { describeSettings, readSettings, StartError } from "../lib/settings.mjs";

const { version } = createRequire(import.meta.url)("../package.json");
const log = (event, fields = {}) => console.log(JSON.stringify({ time: Date.now(), event, ...fields }));

// A backfill makes and drops objects by the million, and V8 would rather let its heap double than collect: the heap may grow by this much
// between two collections. A third less memory for some percent of the time, and no limit that a long history could run into.
setFlagsFromString("--heap-growing-percent=30");

try {
  if (process.argv.includes("--help")) {
    console.log(describeSettings());
    process.exit(0);
  }
  const settings = readSettings(process.env);
  const port = await freePort(settings.port, settings.host);
  const network = await checkChain(settings);
  const schema = schemaName({ deployment: settings.deployment, anchorHash: network.anchorHash });
  const directory = settings.databaseUrl ? undefined : claimDirectory(settings.pgliteDirectory, schema);
  await releaseStaleLock({ schema, databaseUrl: settings.databaseUrl, directory });

  Object.assign(process.env, {
    GPUCHAIN_DEPLOYMENT: JSON.stringify(settings.deployment),
    GPUCHAIN_RPC_URL: network.httpUrl,
    GPUCHAIN_WS_URL: network.wsUrl ?? "",
    GPUCHAIN_PGLITE: directory?.path ?? "",
    GPUCHAIN_SCHEMA: schema,
    PONDER_TELEMETRY_DISABLED: "true",
    // Ponder's default, a fifth of the heap's limit, would by itself come close to the gigabyte that the whole may take.
    PONDER_CACHE_BYTES: process.env.PONDER_CACHE_BYTES ?? String(256 * 1024 * 1024),
    PORT: String(port),
  });
  log("indexer.starting", {
    url: `http://${settings.host}:${port}`,
    schema,
    database: settings.databaseUrl ? "postgres" : "pglite",
    chainId: settings.deployment.chainId,
    transport: network.wsUrl ? "websocket" : "polling",
  });
  announceReady(`http://${settings.host}:${port}`);

  // Ponder builds its schema with its own copy of graphql; ours must be the same one, so it is loaded here, as Ponder does.
  globalThis.gpuchainIndexer = {
    settings,
    schema,
    anchorHash: network.anchorHash,
    startedAt: Date.now(),
    version,
    graphql: await import("graphql"),
    yoga: await import("graphql-yoga"),
    prometheus: await import("prom-client"),
    ponder: await import(pathToFileURL(`${ponderDist}/graphql/index.js`).href),
  };

  process.argv = [
    ...[process.argv[0], "ponder", "start", "--root", root, "--schema", schema, "--port", String(port)],
    ...["--hostname", settings.host, "--log-level", settings.logLevel, "--log-format", settings.logFormat],
  ];
  await import(pathToFileURL(`${ponderDist}/bin/ponder.js`).href);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(`error: ${error.message}\n  hint: ${error.hint}`);
  process.exit(error.exitCode);
}

/** Says once, on stdout, that the backfill is done and the API answers. */
function announceReady(url) {
  const timer = setInterval(async () => {
    const ready = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (ready?.status !== 200) return;
    clearInterval(timer);
    log("indexer.ready", { url });
  }, 100);
  timer.unref();
}
