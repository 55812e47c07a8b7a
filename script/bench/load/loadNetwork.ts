// The real contracts on a chain whose blocks are mined on demand, with parties whose keys anvil holds: what the load needs to
// write tens of thousands of real events in a minute.
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Deployment, jobsAbi, PROTOCOL_VERSION, registryAbi, testUsdcAbi } from "@gpuchain/sdk/chain";
import {
  type Abi,
  type Address,
  type Chain,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  type HttpTransport,
  http,
  type LocalAccount,
  maxUint256,
  numberToHex,
  type PublicActions,
  publicActions,
  type TestClient,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { root } from "../../lib/root.ts";

const PHRASE = "test test test test test test test test test test test junk";
const BLOCK_GAS = 1_000_000_000n;
const CALL_GAS = 3_000_000n;

/** Local limits, as in the deploy script. */
const limits = {
  ...{ minLeaseDuration: 3, minVerdictTimeout: 5, minDisputeWindow: 2, maxBudget: 0n, minProviderBond: 1_000_000n },
  ...{ minVerifierBond: 100_000_000n, appealWindow: 5, arbiterPeriod: 259_200, unbondingPeriod: 60, drawDelay: 0 },
  ...{ longCoolDown: 2, shortCoolDown: 2 },
};

/** One call of one party. */
export interface Call {
  from: Address;
  to: Address;
  abi: Abi;
  functionName: string;
  args: readonly unknown[];
}

export interface LoadNetwork {
  deployment: Deployment;
  client: LoadClient;
  owner: LocalAccount;
  clients: LocalAccount[];
  providers: LocalAccount[];
  verifiers: LocalAccount[];
  arbiter: LocalAccount;
  /** Queues calls in order; a party's calls keep their order. */
  queue(calls: Call[]): void;
  /** Sends what is queued and mines it, `seconds` after the block before. @throws when a call reverted */
  block(seconds?: number): Promise<number>;
  /** Time of the block that comes next, if mined `seconds` later. */
  nextTime(seconds?: number): number;
  jobs(functionName: string, ...args: unknown[]): Omit<Call, "from">;
  /** Reads nonces and time from the chain again: after a reorg, or blocks mined by others. */
  resync(): Promise<void>;
}

/** Anvil's own methods, and everything that reads. */
type LoadClient = TestClient<"anvil", HttpTransport, Chain> & PublicActions<HttpTransport, Chain>;

function connect(rpc: string, chain: Chain): LoadClient {
  const transport = http(rpc, { timeout: 120_000 });
  return createTestClient({ mode: "anvil", chain, transport, pollingInterval: 50 }).extend(publicActions);
}

/** Deploys the contracts and registers three verifiers and six providers. Anvil must have been started with `--no-mining`. */
export async function createLoadNetwork(rpc: string): Promise<LoadNetwork> {
  const client = connect(rpc, foundry);
  await client.setBlockGasLimit({ gasLimit: BLOCK_GAS });
  const account = (index: number) => mnemonicToAccount(PHRASE, { addressIndex: index });
  const [owner, arbiter, treasury] = [account(0), account(1), account(2)];
  const clients = [3, 4, 5].map(account);
  const verifiers = [6, 7, 8].map(account);
  // More parties than anvil funds by itself; it signs for any of them.
  const providers = [9, 10, 11, 12, 13, 14].map(account);
  await client.request({ method: "anvil_autoImpersonateAccount", params: [true] } as never);
  for (const { address } of [owner, arbiter, treasury, ...clients, ...verifiers, ...providers]) {
    await client.setBalance({ address, value: 10n ** 24n });
  }

  const startBlock = await client.getBlockNumber({ cacheTime: 0 });
  let time = Number((await client.getBlock()).timestamp);
  const nonces = new Map<Address, number>();
  let waiting: { from: Address; to: Address | undefined; data: Hex; what: string }[] = [];

  const block = async (seconds = 1): Promise<number> => {
    const sent = waiting;
    waiting = [];
    for (const { from: address } of sent) {
      // A contract that is made to send starts at 1.
      if (!nonces.has(address)) nonces.set(address, await client.getTransactionCount({ address }));
    }
    const requests = sent.map(({ from, to, data }, id) => {
      const nonce = nonces.get(from) ?? 0;
      nonces.set(from, nonce + 1);
      const gas = numberToHex(to ? CALL_GAS : 12_000_000n);
      const params = [{ from, ...(to ? { to } : {}), data, gas, nonce: numberToHex(nonce) }];
      return { jsonrpc: "2.0", id, method: "eth_sendTransaction", params };
    });
    const hashes: Hex[] = [];
    for (let i = 0; i < requests.length; i += 200) {
      const answers = await batch(rpc, requests.slice(i, i + 200));
      hashes.push(...(answers as Hex[]));
    }
    time = Math.max(time, Number((await client.getBlock()).timestamp)) + seconds;
    await client.setNextBlockTimestamp({ timestamp: BigInt(time) });
    await client.mine({ blocks: 1 });
    const number = await client.getBlockNumber({ cacheTime: 0 });
    const receipts = (await client.request({
      method: "eth_getBlockReceipts",
      params: [numberToHex(number)],
    } as never)) as { status: Hex; transactionHash: Hex }[];
    if (receipts.length !== sent.length) throw new Error(`${sent.length} calls sent, ${receipts.length} mined`);
    const failed = receipts.find(({ status }) => status !== "0x1");
    if (failed) throw new Error(`${sent[hashes.indexOf(failed.transactionHash)]?.what} reverted`);
    return number === undefined ? 0 : Number(number);
  };

  const at = (index: number) => getContractAddress({ from: owner.address, nonce: BigInt(index) });
  const [usdc, escrow, registry, settlement, jobs, court, lens] = [0, 1, 2, 3, 4, 5, 6].map(at) as Seven;
  const config = { arbiter: arbiter.address, treasury: treasury.address };
  const plan: [string, readonly unknown[]][] = [
    ["TestUSDC", []],
    ["Escrow", [usdc, jobs, registry, court]],
    ["Registry", [owner.address, escrow, jobs, court, config, limits]],
    ["Settlement", [escrow, registry, court, limits]],
    ["Jobs", [escrow, registry, court, settlement, limits]],
    ["Court", [escrow, registry, jobs, limits]],
    ["Lens", [jobs]],
  ];
  for (const [name, args] of plan) {
    const { abi, bytecode } = artifact(name);
    waiting.push({ from: owner.address, to: undefined, data: encodeDeployData({ abi, bytecode, args }), what: name });
  }
  await block();

  const network: LoadNetwork = {
    deployment: {
      ...{ protocolVersion: PROTOCOL_VERSION, chainId: foundry.id, startBlock: startBlock + 1n },
      contracts: { jobs, court, registry, escrow, lens, usdc },
    },
    ...{ client, owner, arbiter, clients, providers, verifiers, block },
    nextTime: (seconds = 1) => time + seconds,
    jobs: (functionName, ...args) => ({ to: jobs, abi: jobsAbi as Abi, functionName, args }),
    async resync() {
      time = Number((await client.getBlock()).timestamp);
      for (const address of nonces.keys()) {
        nonces.set(address, await client.getTransactionCount({ address, blockTag: "latest" }));
      }
    },
    queue(calls) {
      for (const { from, to, abi, functionName, args } of calls) {
        waiting.push({ from, to, data: encodeFunctionData({ abi, functionName, args }), what: functionName });
      }
    },
  };
  await registerParties(network);
  return network;
}

type Seven = [Address, Address, Address, Address, Address, Address, Address];

async function registerParties({ deployment, owner, clients, providers, verifiers, queue, block }: LoadNetwork) {
  const { usdc, registry, escrow } = deployment.contracts;
  const token = { to: usdc, abi: testUsdcAbi as Abi };
  const register = { to: registry, abi: registryAbi as Abi };
  queue([{ ...register, from: owner.address, functionName: "approveTemplate", args: ["text-classification", 1_000n] }]);
  const faucet = 10_000_000_000n;
  for (const { address } of [...clients, ...providers, ...verifiers]) {
    queue([{ ...token, from: address, functionName: "approve", args: [escrow, maxUint256] }]);
    const mints = clients.some((client) => client.address === address) ? 20 : 1;
    for (let i = 0; i < mints; i++) queue([{ ...token, from: address, functionName: "mint", args: [address, faucet] }]);
  }
  await block();
  const none = `0x${"0".repeat(64)}`;
  for (const [index, { address }] of providers.entries()) {
    const profile = {
      name: `load ${index}`,
      pricePerStep: BigInt(1_000 + index),
      deviceHash: none,
      encryptionKey: none,
    };
    queue([
      {
        ...{ ...register, from: address, functionName: "registerProvider" },
        args: [{ ...profile, metadata: '{"device":"load"}' }, address, 1_000_000_000n],
      },
    ]);
  }
  for (const [index, { address }] of verifiers.entries()) {
    const profile = { endpoint: `http://127.0.0.1:${9_000 + index}`, encryptionKey: none, minFee: 0n, templateMask: 1 };
    queue([{ ...register, from: address, functionName: "registerVerifier", args: [profile, 1_000_000_000n] }]);
  }
  await block();
}

/** A compiled contract's ABI and code; `npm run build` compiles them. */
function artifact(name: string): { abi: Abi; bytecode: Hex } {
  const folder = process.env.FOUNDRY_OUT ?? path.join(root, "contracts/out");
  const { abi, bytecode } = JSON.parse(readFileSync(path.join(folder, `${name}.sol/${name}.json`), "utf8")) as {
    abi: Abi;
    bytecode: { object: Hex };
  };
  return { abi, bytecode: bytecode.object };
}

async function batch(rpc: string, requests: { id: number }[]): Promise<unknown[]> {
  if (requests.length === 0) return [];
  const response = await fetch(rpc, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(requests),
  });
  const answers = (await response.json()) as { id: number; result?: unknown; error?: { message: string } }[];
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  return requests.map(({ id }) => {
    const answer = byId.get(id);
    if (!answer || answer.error) throw new Error(`RPC: ${answer?.error?.message ?? "no answer"}`);
    return answer.result;
  });
}
