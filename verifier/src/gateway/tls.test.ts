import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { startTlsProxy } from "../testing/tlsProxy.ts";
import { startTestGateway } from "./testGateway.ts";

const run = promisify(execFile);

it("sessions, blobs and pulses pass a reverse proxy that ends TLS and mounts the gateway under a path", async () => {
  let port = 0;
  const proxy = await startTlsProxy(() => port, "/gpuchain");
  const endpoint = `https://localhost:${proxy.port}/gpuchain`;
  await using test = await startTestGateway({ endpoint });
  port = test.gateway.port;
  const folder = mkdtempSync(join(tmpdir(), "tls-"));
  try {
    const key = generatePrivateKey();
    const { address } = privateKeyToAccount(key);
    const hash = `0x${"0".repeat(64)}` as const;
    test.ledger.jobs.set(1n, {
      client: "0xc",
      specHash: hash,
      genesisHash: hash,
      budget: 0n,
      settledAt: undefined,
      seated: true,
    });
    test.ledger.fences.set("1/3", { provider: address, state: "live" });
    const certificate = join(folder, "certificate.pem");
    writeFileSync(certificate, proxy.certificate);
    const client = (trusted: Record<string, string>) =>
      run(
        process.execPath,
        ["--import", "tsx", "--conditions=source", join(import.meta.dirname, "../testing/tlsClient.ts"), endpoint],
        { env: { ...process.env, ...trusted, CLIENT_KEY: key } },
      );
    const { stdout } = await client({ NODE_EXTRA_CA_CERTS: certificate });
    expect(JSON.parse(stdout)).toMatchObject({ size: 3_000_000, pulse: true });
    expect(test.keeper.claims.all()).toMatchObject([{ owner: address.toLowerCase(), size: 3_000_000 }]);
    expect(test.log.some((line) => line.includes('"level":"error"'))).toBe(false);
  } finally {
    await proxy.close();
    rmSync(folder, { recursive: true });
  }
});
