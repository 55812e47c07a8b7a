// `npm run bench:daemons`: what one gateway process carries. Open pulses against memory, blob GET against plain file serving by node:http,
// and whether memory grows over time. Exit code 1 where a figure is worse than it has to be.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { exitWith, parseInteger, parseNumber } from "@gpuchain/sdk/daemon";
import { openSession, PULSE_SUBPROTOCOL } from "@gpuchain/sdk/gateway";
import { Command } from "commander";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { WebSocket } from "ws";
import { root } from "../lib/root.ts";

const LIMITS = { gatewayMb: 300, ratio: 0.7, slopeMbPerMinute: 1 };
const BLOB_BYTES = 12 * 2 ** 20;
const GETS = 30;
const ROUNDS = 3;
const BEAT_MS = 1_000;
const SAMPLE_MS = 5_000;
/** Memory settles while code is compiled and caches fill: the slope is taken after this share of the time. */
const SETTLED = 0.3;

interface Served {
  readonly url: string;
  readonly sha256: string;
}
interface Usage {
  readonly rss: number;
  readonly connections: number;
}

const program = path.join(root, "verifier/dist/testing/gatewayUnderLoad.js");
const command = new Command("bench:daemons")
  .description("Measures one gateway process. Nothing else should run meanwhile.")
  .option("--pulses <n>", "open pulse connections", parseInteger({ min: 1, max: 20_000 }), 1_000)
  .option("--minutes <n>", "how long memory is watched, fractions allowed", parseNumber({ min: 0.2, max: 1_440 }), 10)
  .option("--json <file>", "write the figures as JSON");

async function main(): Promise<void> {
  command.parse();
  const { pulses, minutes, json } = command.opts<{ pulses: number; minutes: number; json?: string }>();
  const gateway = fork(program, ["gateway"], { execArgv: [] });
  const plain = fork(program, ["plain"], { execArgv: [] });
  try {
    const [[served], [file]] = (await Promise.all([once(gateway, "message"), once(plain, "message")])) as [
      Served[],
      Served[],
    ];
    if (served === undefined || file === undefined) throw new Error("a server did not say where it serves");
    const blob = `${served.url}/v1/blobs/${served.sha256}`;
    const ratio = await compare(blob, file.url);
    const before = await ask(gateway);
    const sockets = await openPulses(served.url, pulses);
    const memory = await watch(gateway, sockets, blob, minutes * 60_000);
    for (const socket of sockets) socket.terminate();
    const figures = {
      pulses: memory.connections,
      gatewayMbBefore: mb(before.rss),
      gatewayMb: mb(memory.worst),
      ...ratio,
      minutes,
      slopeMbPerMinute: memory.slope,
    };
    report(figures);
    if (json) writeFileSync(json, `${JSON.stringify(figures, null, 2)}\n`);
    const good =
      figures.pulses >= pulses &&
      figures.gatewayMb < LIMITS.gatewayMb &&
      figures.ratio >= LIMITS.ratio &&
      figures.slopeMbPerMinute < LIMITS.slopeMbPerMinute;
    process.exitCode = good ? 0 : 1;
  } catch (error) {
    exitWith(error);
  } finally {
    for (const child of [gateway, plain]) if (child.connected) child.disconnect();
  }
}

/** Throughput of both, in turns, so that whatever else the machine does meets both alike. */
async function compare(
  blob: string,
  plain: string,
): Promise<{ blobGetMbPerSecond: number; plainMbPerSecond: number; ratio: number }> {
  await throughput(blob);
  await throughput(plain);
  const rounds: [number, number][] = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push([await throughput(blob), await throughput(plain)]);
  const middle = (of: 0 | 1) => rounds.map((round) => round[of]).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  const [ours, theirs] = [middle(0), middle(1)];
  return {
    blobGetMbPerSecond: Math.round(ours),
    plainMbPerSecond: Math.round(theirs),
    ratio: Math.round((ours / theirs) * 100) / 100,
  };
}

async function throughput(url: string): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < GETS; i++) {
    const answer = await fetch(url);
    const { byteLength } = await answer.arrayBuffer();
    if (!answer.ok || byteLength !== BLOB_BYTES)
      throw new Error(`${url} gave ${answer.status} and ${byteLength} bytes`);
  }
  return (GETS * BLOB_BYTES) / 2 ** 20 / ((performance.now() - started) / 1000);
}

async function openPulses(endpoint: string, count: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(20, count - sockets.length) }, async () => {
      const session = await openSession({ endpoint, account: privateKeyToAccount(generatePrivateKey()) });
      const headers = { authorization: `Bearer ${await session.token()}` };
      const socket = new WebSocket(`${endpoint.replace("http", "ws")}/v1/pulse`, PULSE_SUBPROTOCOL, { headers });
      await once(socket, "open");
      return socket;
    });
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

/** Keeps all pulses beating and fetches the blob now and then; samples the gateway's memory. */
async function watch(
  gateway: ChildProcess,
  sockets: readonly WebSocket[],
  blob: string,
  ms: number,
): Promise<{ worst: number; connections: number; slope: number }> {
  let n = 0;
  const beats = setInterval(() => {
    n++;
    for (const socket of sockets) socket.send(JSON.stringify({ type: "beat", n, status: { standby: true } }));
  }, BEAT_MS);
  const samples: { at: number; rss: number }[] = [];
  let connections = 0;
  const began = performance.now();
  try {
    while (performance.now() - began < ms) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(SAMPLE_MS, ms / 20)));
      await (await fetch(blob)).arrayBuffer();
      const usage = await ask(gateway);
      connections = usage.connections;
      samples.push({ at: (performance.now() - began) / 60_000, rss: usage.rss });
    }
  } finally {
    clearInterval(beats);
  }
  const settled = samples.filter(({ at }) => at * 60_000 > ms * SETTLED);
  return {
    worst: Math.max(...samples.map(({ rss }) => rss)),
    connections,
    slope: Math.round(slopeOf(settled) * 100) / 100,
  };
}

/** Least squares, in MiB a minute. */
function slopeOf(samples: readonly { at: number; rss: number }[]): number {
  const mean = (read: (one: { at: number; rss: number }) => number) =>
    samples.reduce((sum, one) => sum + read(one), 0) / samples.length;
  const [at, rss] = [mean((one) => one.at), mean((one) => one.rss)];
  const covariance = samples.reduce((sum, one) => sum + (one.at - at) * (one.rss - rss), 0);
  const variance = samples.reduce((sum, one) => sum + (one.at - at) ** 2, 0);
  return covariance / variance / 2 ** 20;
}

async function ask(child: ChildProcess): Promise<Usage> {
  child.send("usage");
  const [usage] = (await once(child, "message")) as [Usage];
  return usage;
}

const mb = (bytes: number): number => Math.round(bytes / 2 ** 20);

function report(figures: {
  pulses: number;
  gatewayMbBefore: number;
  gatewayMb: number;
  blobGetMbPerSecond: number;
  plainMbPerSecond: number;
  ratio: number;
  minutes: number;
  slopeMbPerMinute: number;
}): void {
  const rows: [string, string, string][] = [
    ["open pulses", String(figures.pulses), ""],
    [
      "gateway's memory",
      `${figures.gatewayMb} MiB (${figures.gatewayMbBefore} before)`,
      `under ${LIMITS.gatewayMb} MiB`,
    ],
    ["blob GET", `${figures.blobGetMbPerSecond} MiB/s`, ""],
    ["plain node:http", `${figures.plainMbPerSecond} MiB/s`, ""],
    ["ratio", figures.ratio.toFixed(2), `at least ${LIMITS.ratio}`],
    [
      `memory slope over ${figures.minutes} min`,
      `${figures.slopeMbPerMinute} MiB/min`,
      `under ${LIMITS.slopeMbPerMinute} MiB/min`,
    ],
  ];
  for (const [what, value, limit] of rows) console.log(`${what.padEnd(30)}${value.padEnd(26)}${limit}`);
}

await main();
