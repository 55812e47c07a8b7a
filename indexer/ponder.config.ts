// Read by Ponder; bin/start.mjs has checked the deployment and set these variables.
import { createConfig } from "ponder";
import { courtAbi, escrowAbi, jobsAbi, registryAbi } from "./ledger/abi.ts";

interface Deployment {
  chainId: number;
  startBlock: number;
  contracts: { jobs: `0x${string}`; escrow: `0x${string}`; registry: `0x${string}`; court: `0x${string}` };
}

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: start the indexer with bin/start.mjs`);
  return value;
};

const { chainId, startBlock, contracts } = JSON.parse(setting("GPUCHAIN_DEPLOYMENT")) as Deployment;
const webSocket = setting("GPUCHAIN_WS_URL");
const directory = setting("GPUCHAIN_PGLITE");
const LOCAL_CHAIN = 31337;

export default createConfig({
  ...(directory ? { database: { kind: "pglite", directory } } : { database: { kind: "postgres" } }),
  ordering: "omnichain",
  chains: {
    gpuchain: {
      id: chainId,
      rpc: setting("GPUCHAIN_RPC_URL"),
      ...(webSocket ? { ws: webSocket } : {}),
      pollingInterval: 1_000,
      // A local chain is re-created under the same id: nothing of an old one may be read from a cache.
      disableCache: chainId === LOCAL_CHAIN,
    },
  },
  contracts: {
    Jobs: { chain: "gpuchain", abi: jobsAbi, address: contracts.jobs, startBlock },
    Escrow: { chain: "gpuchain", abi: escrowAbi, address: contracts.escrow, startBlock },
    Registry: { chain: "gpuchain", abi: registryAbi, address: contracts.registry, startBlock },
    Court: { chain: "gpuchain", abi: courtAbi, address: contracts.court, startBlock },
  },
});
