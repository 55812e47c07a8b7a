// What a node does at a gateway, as a process of its own, because what it trusts is fixed at its start (NODE_EXTRA_CA_CERTS):
// tlsClient.ts ENDPOINT, with the account's key in CLIENT_KEY. Prints one JSON line.
import { createHttpBlobStore, createPulseLink, openSession } from "@gpuchain/sdk/gateway";
import { sha256Hex } from "@gpuchain/sdk/records";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

const [endpoint = ""] = process.argv.slice(2);
const key = process.env.CLIENT_KEY ?? "";
const session = await openSession({ endpoint, account: privateKeyToAccount(key as Hex), chainId: 31337 });
const store = createHttpBlobStore(session, { job: 1n, fence: 3n });
const blob = new Uint8Array(3_000_000).map((_, i) => (i * 31) & 255);
const sha256 = sha256Hex(blob);
await store.put(blob, { sha256 });
const stored = await store.stat(sha256);
await new Promise<void>((resolve) => {
  const link = createPulseLink({
    session,
    beatEveryMs: 50,
    status: () => ({ standby: true }),
    onStatesRequest: async () => new Map(),
    onChange: (connected: boolean) => {
      if (!connected) return;
      const timer = setInterval(() => {
        if (link.lastAckAt === 0) return;
        clearInterval(timer);
        resolve();
      }, 10);
    },
  });
});
process.stdout.write(`${JSON.stringify({ sha256, size: stored?.size, pulse: true })}\n`, () => process.exit(0));
