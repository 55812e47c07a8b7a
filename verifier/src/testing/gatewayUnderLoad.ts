// The process that `npm run bench:daemons` measures: a gateway with one public blob, and a plain server of the same file in a process of
// its own beside it. Started by script/bench/daemons.ts, to which it talks over IPC.
import { once } from "node:events";
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "@gpuchain/sdk/records";
import { startTestGateway } from "../gateway/testGateway.ts";

export interface Served {
  readonly url: string;
  readonly sha256: string;
}
export interface Usage {
  /** resident bytes of this process */
  readonly rss: number;
  readonly connections: number;
}

export const BLOB_BYTES = 12 * 2 ** 20;

async function serveGateway(): Promise<void> {
  const test = await startTestGateway({ requestsPerSecond: 1e6 });
  const blob = blobOf();
  const sha256 = sha256Hex(blob);
  const job = { client: "0xc", specHash: sha256, genesisHash: sha256, budget: 0n, settledAt: undefined, seated: true };
  test.ledger.jobs.set(1n, job);
  await test.keeper.blobs.put(blob, { sha256 });
  const claim = { sha256, job: 1n, purpose: "state" as const, fence: 1n, owner: "0xo", size: blob.length };
  test.keeper.claims.add({ ...claim, restricted: false, at: 0 });
  tell({ url: test.gateway.endpoint, sha256 }, () => ({
    rss: process.memoryUsage.rss(),
    connections: test.hub.connections,
  }));
  process.once("disconnect", () => void test[Symbol.asyncDispose]().then(() => process.exit(0)));
}

async function servePlain(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "gpuchain-plain-"));
  const path = join(folder, "blob");
  const blob = blobOf();
  writeFileSync(path, blob);
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-length": statSync(path).size });
    createReadStream(path).pipe(response);
  });
  server.keepAliveTimeout = 65_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  tell({ url: `http://127.0.0.1:${port}`, sha256: sha256Hex(blob) }, () => ({
    rss: process.memoryUsage.rss(),
    connections: 0,
  }));
  process.once("disconnect", () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
}

const blobOf = () => new Uint8Array(BLOB_BYTES).map((_, i) => (i * 31) & 255);

/** Says where it serves, then answers every message with what it uses. */
function tell(served: Served, usage: () => Usage): void {
  process.send?.(served);
  process.on("message", () => process.send?.(usage()));
}

if (process.argv[2] === "gateway") await serveGateway();
if (process.argv[2] === "plain") await servePlain();
