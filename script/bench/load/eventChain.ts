// A chain full of real events of the real contracts.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { registryAbi } from "@gpuchain/sdk/chain";
import { type Abi, toHex } from "viem";
import { foundryBinary } from "../../forge.mjs";
import { createLoadNetwork, type LoadNetwork } from "./loadNetwork.ts";
import { type Life, runJobs, withdrawAll } from "./runLoad.ts";

const ROUND: Life[] = [
  ...Array.from({ length: 14 }, (): Life => "plain"),
  ...(["evicted", "evicted", "refused", "refused", "cancelled", "disputed"] as const),
];
/** Ponder's finality on a chain it does not know: what lies deeper comes by backfill. */
const FINALITY = 30;

export interface EventChain {
  rpc: string;
  network: LoadNetwork;
  events: number;
  /** how long it took to write them */
  seconds: number;
  stop(): void;
}

/** Starts a chain, deploys the contracts and runs jobs until they have emitted at least `wanted` events. */
export async function startEventChain(wanted: number): Promise<EventChain> {
  const { rpc, stop } = await startChain();
  try {
    const started = performance.now();
    const network = await createLoadNetwork(rpc);
    const events = await writeEvents(network, wanted);
    return { rpc, network, events, seconds: (performance.now() - started) / 1000, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

async function startChain(): Promise<{ rpc: string; stop(): void }> {
  const args = ["--port", "0", "--no-mining", "--prune-history", "256", "--order", "fifo", "--no-request-size-limit"];
  const child = spawn(foundryBinary("anvil"), args, { stdio: ["ignore", "pipe", "inherit"] });
  const stop = () => void child.kill("SIGKILL");
  // Nothing outlives the bench, however it ends.
  process.once("exit", stop);
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /Listening on .*:(\d+)$/.exec(line)?.[1];
    if (!port) continue;
    child.stdout.resume();
    return { rpc: `http://127.0.0.1:${port}`, stop };
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
export async function toggle({ deployment, providers, queue, block }: LoadNetwork, index: number): Promise<void> {
  const from = providers[0]?.address ?? "0x";
  const call = { to: deployment.contracts.registry, abi: registryAbi as Abi, functionName: "setAccepting" };
  queue([{ ...call, from, args: [index % 2 === 1] }]);
  await block();
}
