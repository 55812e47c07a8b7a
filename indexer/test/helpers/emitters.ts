// Writes a world's events to a real chain through four stand-in contracts, and answers the views that the audit reads.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeDeployData,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  parseAbi,
} from "viem";
import { courtAbi, escrowAbi, jobsAbi, registryAbi } from "../../ledger/abi.ts";
import type { MemoryStore } from "../../ledger/memoryStore.ts";
import type { Anvil } from "./anvil.ts";
import type { WorldEvent } from "./world.ts";

const abis: Record<WorldEvent["contract"], Abi> = {
  Jobs: jobsAbi,
  Escrow: escrowAbi,
  Registry: registryAbi,
  Court: courtAbi,
};

const emitterAbi = parseAbi([
  "struct Entry { address from; bytes32[] topics; bytes data; }",
  "function emitAll(Entry[] entries)",
  "function answer(bytes call, bytes result)",
]);

interface SolcOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>;
}

/** Compiles the fixture with the compiler that the contracts use. */
function emitterBytecode(): Hex {
  const source = readFileSync(new URL("../fixtures/Emitter.sol", import.meta.url), "utf8");
  const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const settings = { outputSelection: { "*": { "*": ["evm.bytecode.object"] } }, optimizer: { enabled: true } };
  const input = { language: "Solidity", sources: { "Emitter.sol": { content: source } }, settings };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
  const failure = output.errors?.find(({ severity }) => severity === "error");
  const object = output.contracts["Emitter.sol"]?.Emitter?.evm.bytecode.object;
  if (failure || !object) throw new Error(failure?.formattedMessage ?? "no bytecode");
  return `0x${object}`;
}

export interface Deployment {
  chainId: number;
  protocolVersion: number;
  startBlock: number;
  contracts: Record<"jobs" | "escrow" | "registry" | "court" | "usdc" | "lens", Address>;
}

export interface Emitters {
  deployment: Deployment;
  /** Sends one transaction that emits the events in order; mined by the caller or by anvil itself. */
  send(events: readonly WorldEvent[]): Promise<Hex>;
  /** Makes the views that the audit reads say what the rebuilt ledger says. */
  answer(store: MemoryStore): Promise<void>;
  /** Makes one view return what the test wants. */
  set(contract: WorldEvent["contract"], functionName: string, args: unknown[], result: unknown): Promise<void>;
}

/** Deploys the four stand-ins. The chain must mine by itself or be mined here, so a block is mined after each step. */
export async function deployEmitters({ client, test }: Anvil): Promise<Emitters> {
  const bytecode = emitterBytecode();
  const [from] = await client.request({ method: "eth_accounts" } as never).then((list) => list as Address[]);
  if (!from) throw new Error("anvil has no account");
  const send = (to: Address | undefined, data: Hex): Promise<Hex> =>
    client.request({ method: "eth_sendTransaction", params: [{ from, to, data, gas: "0x1c9c380" }] } as never);
  const addresses: Partial<Record<WorldEvent["contract"], Address>> = {};
  const startBlock = Number(await client.getBlockNumber()) + 1;
  for (const name of ["Jobs", "Escrow", "Registry", "Court"] as const) {
    const hash = await send(undefined, encodeDeployData({ abi: emitterAbi, bytecode }));
    await test.mine({ blocks: 1 });
    const { contractAddress } = await client.getTransactionReceipt({ hash });
    if (!contractAddress) throw new Error("not deployed");
    addresses[name] = contractAddress;
  }
  const {
    Jobs: jobs,
    Escrow: escrow,
    Registry: registry,
    Court: court,
  } = addresses as Record<WorldEvent["contract"], Address>;
  // Nothing here reads the token or the lens; any code will do.
  const contracts = { jobs, escrow, registry, court, usdc: escrow, lens: jobs };
  const set: Emitters["set"] = async (contract, functionName, args, result) => {
    const abi = abis[contract];
    const data = encodeFunctionData({
      abi: emitterAbi,
      functionName: "answer",
      args: [encodeFunctionData({ abi, functionName, args }), encodeFunctionResult({ abi, functionName, result })],
    });
    await send(contracts[contract.toLowerCase() as keyof typeof contracts], data);
  };
  return {
    deployment: { chainId: await client.getChainId(), protocolVersion: 1, startBlock, contracts },
    set,
    send: (events) => {
      const entries = events.map(({ contract, name, args }) => {
        const { topics, data } = encodeLog(abis[contract], name, args);
        return { from: contracts[contract.toLowerCase() as keyof typeof contracts], topics, data };
      });
      return send(contracts.jobs, encodeFunctionData({ abi: emitterAbi, functionName: "emitAll", args: [entries] }));
    },
    async answer(store) {
      const total = store.get("total", "1");
      if (!total) return;
      const owed = total.locked + total.claimable + total.bonds;
      await set("Escrow", "reserves", [], [owed, owed]);
      for (const { address, claimable, bond } of store.all("account")) {
        await set("Escrow", "owedTo", [address], claimable + bond);
      }
      for (const { id, budget, locked } of store.all("job")) {
        await set("Escrow", "budgetOf", [id], [budget, locked]);
      }
    },
  };
}

/** An event as the EVM logs it. */
export function encodeLog(abi: Abi, name: string, args: Record<string, unknown>): { topics: Hex[]; data: Hex } {
  const item = abi.find((entry) => entry.type === "event" && entry.name === name);
  if (item?.type !== "event") throw new Error(`no event ${name}`);
  const topics = encodeEventTopics({ abi: [item], eventName: name, args } as never) as Hex[];
  const rest = item.inputs.filter(({ indexed }) => !indexed);
  return {
    topics,
    data: encodeAbiParameters(
      rest,
      rest.map((input) => args[input.name ?? ""]),
    ),
  };
}
