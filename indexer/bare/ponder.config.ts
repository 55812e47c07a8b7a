// A bare handler, to measure the ledger's against: the same events, a row for each, and nothing else. Only the bench starts it.
import { createConfig } from "ponder";
import { courtAbi, escrowAbi, jobsAbi, registryAbi } from "../ledger/abi.ts";

const { chainId, startBlock, contracts } = JSON.parse(process.env.GPUCHAIN_DEPLOYMENT ?? "");
const directory = process.env.GPUCHAIN_PGLITE;
const at = { chain: "gpuchain", startBlock } as const;

export default createConfig({
  ...(directory ? { database: { kind: "pglite", directory } } : { database: { kind: "postgres" } }),
  ordering: "omnichain",
  chains: { gpuchain: { id: chainId, rpc: process.env.GPUCHAIN_RPC_URL ?? "", disableCache: true } },
  contracts: {
    Jobs: { ...at, abi: jobsAbi, address: contracts.jobs },
    Escrow: { ...at, abi: escrowAbi, address: contracts.escrow },
    Registry: { ...at, abi: registryAbi, address: contracts.registry },
    Court: { ...at, abi: courtAbi, address: contracts.court },
  },
});
