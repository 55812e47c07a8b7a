// Figures of one gateway in a process of its own: open pulses against memory, blob GET against plain file serving.
// Run: npx tsx --conditions=source verifier/src/testing/benchGateway.ts [pulses]
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSession, PULSE_SUBPROTOCOL } from "@gpuchain/sdk/gateway";
import { sha256Hex } from "@gpuchain/sdk/records";
import { WebSocket } from "ws";
import { newAccount, startTestGateway } from "../gateway/testGateway.ts";

interface Served {
  readonly endpoint: string;
  readonly plain: string;
  readonly sha256: string;
}

const BLOB_BYTES = 12 * 2 ** 20;
const GETS = 40;

/** The process that is measured: a gateway with one public blob, and a plain server of the same file beside it. */
async function serve(): Promise<void> {
  const test = await startTestGateway({ requestsPerSecond: 1e6 });
  const blob = new Uint8Array(BLOB_BYTES).map((_, i) => (i * 31) & 255);
  const sha256 = sha256Hex(blob);
  const job = { client: "0xc", specHash: sha256, genesisHash: sha256, budget: 0n, settledAt: undefined, seated: true };
  test.ledger.jobs.set(1n, job);
  await test.keeper.blobs.put(blob, { sha256 });
  test.keeper.claims.add({
    sha256,
    job: 1n,
    purpose: "state",
    fence: 1n,
    owner: "0xo",
    size: blob.length,
    restricted: false,
    at: 0,
  });
  const path = join(mkdtempSync(join(tmpdir(), "gpuchain-gateway-figures-")), "blob");
  writeFileSync(path, blob);
  const plain = createServer((_request, response) => {
    response.writeHead(200, { "content-length": statSync(path).size });
    createReadStream(path).pipe(response);
  });
  plain.keepAliveTimeout = 65_000;
  plain.listen(0, "127.0.0.1");
  await once(plain, "listening");
  const { port } = plain.address() as AddressInfo;
  process.send?.({ endpoint: test.gateway.endpoint, plain: `http://127.0.0.1:${port}/`, sha256 } satisfies Served);
  process.on("message", () => process.send?.({ rss: process.memoryUsage().rss, connections: test.hub.connections }));
  process.once("disconnect", () => {
    rmSync(path, { force: true });
    void test[Symbol.asyncDispose]().then(() => process.exit(0));
  });
}

const ask = async (child: ChildProcess): Promise<{ rss: number; connections: number }> => {
  child.send("usage");
  const [answer] = await once(child, "message");
  return answer;
};

async function throughput(url: string): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < GETS; i++) await (await fetch(url)).arrayBuffer();
  return (GETS * BLOB_BYTES) / 2 ** 20 / ((performance.now() - started) / 1000);
}

/** Measures and prints one JSON object. */
async function measure(pulses: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ["serve"], {
    execArgv: process.execArgv,
    serialization: "advanced",
  });
  const [served] = (await once(child, "message")) as [Served];
  const before = await ask(child);
  const url = `${served.endpoint}/v1/blobs/${served.sha256}`;
  await throughput(url);
  await throughput(served.plain);
  const rounds: { gateway: number; plain: number }[] = [];
  for (let i = 0; i < 3; i++) rounds.push({ gateway: await throughput(url), plain: await throughput(served.plain) });
  const sum = (key: "gateway" | "plain") => rounds.reduce((total, round) => total + round[key], 0) / rounds.length;

  const sockets: WebSocket[] = [];
  for (let i = 0; i < pulses; i++) {
    const session = await openSession({ endpoint: served.endpoint, account: newAccount() });
    const headers = { authorization: `Bearer ${await session.token()}` };
    const socket = new WebSocket(`${served.endpoint.replace("http", "ws")}/v1/pulse`, PULSE_SUBPROTOCOL, { headers });
    await once(socket, "open");
    sockets.push(socket);
  }
  let n = 0;
  const beat = setInterval(() => {
    for (const socket of sockets) socket.send(JSON.stringify({ type: "beat", n: n++, status: { standby: true } }));
  }, 1_000);
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const { rss, connections } = await ask(child);
  clearInterval(beat);
  for (const socket of sockets) socket.terminate();
  const figures = {
    pulses: connections,
    gatewayMb: Math.round(rss / 2 ** 20),
    gatewayMbBefore: Math.round(before.rss / 2 ** 20),
    blobGetMbPerSecond: Math.round(sum("gateway")),
    plainGetMbPerSecond: Math.round(sum("plain")),
    ratio: Number((sum("gateway") / sum("plain")).toFixed(2)),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  child.disconnect();
  await once(child, "exit");
}

if (process.argv[2] === "serve") await serve();
else await measure(Number(process.argv[2] ?? 1_000));
