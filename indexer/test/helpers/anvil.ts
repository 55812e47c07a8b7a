import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createPublicClient, createTestClient, http, type PublicClient, type TestClient } from "viem";
import { foundry } from "viem/chains";
import { freePort, type RunningProcess, start } from "./processes.ts";

export interface Anvil {
  url: string;
  client: PublicClient;
  test: TestClient;
  process: RunningProcess;
  stop(): Promise<void>;
}

/** Foundry's anvil as npm brought it. */
function anvilBinary(): string {
  const folder = dirname(createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json"));
  return join(
    folder,
    "..",
    `anvil-${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`,
    "bin",
    "anvil",
  );
}

/**
 * A chain of its own on a free port. Without `blockTime` blocks are mined by `test.mine` only.
 * @param blockTime seconds
 */
export async function startAnvil({
  blockTime,
  autoMine = false,
}: {
  blockTime?: number;
  autoMine?: boolean;
} = {}): Promise<Anvil> {
  const port = await freePort();
  const mining = blockTime ? ["--block-time", String(blockTime)] : autoMine ? [] : ["--no-mining"];
  const running = start(anvilBinary(), [
    ...["--port", String(port), "--prune-history", "256", "--gas-limit", "1000000000", "--order", "fifo"],
    ...["--no-request-size-limit", ...mining],
  ]);
  await running.line(/Listening on/);
  const url = `http://127.0.0.1:${port}`;
  const transport = http(url, { timeout: 60_000 });
  return {
    url,
    client: createPublicClient({ chain: foundry, transport, pollingInterval: 50 }),
    test: createTestClient({ chain: foundry, transport, mode: "anvil" }),
    process: running,
    stop: async () => void (await running.stop()),
  };
}
