// The real contracts on a real chain, as the story plays them: one call, one block, at a time that the story names.
import {
  contentDigestOf,
  courtAbi,
  type Deployment,
  escrowAbi,
  evidenceHashOf,
  jobsAbi,
  protocolAbi,
  registryAbi,
  signEviction,
  signVerdict,
  testUsdcAbi,
} from "@gpuchain/sdk/chain";
import {
  type Abi,
  type Address,
  createPublicClient,
  decodeEventLog,
  encodeFunctionData,
  type Hex,
  http,
  type LocalAccount,
  type Log,
  numberToHex,
  zeroHash,
} from "viem";
import { startTestChain, testAccount } from "../../../sdk/src/chain/testing/anvil.ts";
import { deployProtocol } from "../../../sdk/src/chain/testing/protocol.ts";
import type { Outcome } from "./state.ts";

const ABIS = { jobs: jobsAbi, court: courtAbi, registry: registryAbi, escrow: escrowAbi, usdc: testUsdcAbi } as const;
/** Fixed, as all times after it are: block hashes, and so the draws of seats, are then the same in every run. */
const START_TIME = 1_900_000_000;
const NAMES = ["client", "other-client", "alice", "bob", "carol", "alice-wallet", "bob-wallet"];
const VERIFIERS = ["v0", "v1", "v2", "v3", "v4", "v5"];

export const people: ReadonlyMap<string, LocalAccount> = new Map([
  ...NAMES.map((name, i): [string, LocalAccount] => [name, testAccount(i + 1)]),
  ["arbiter", testAccount(8)],
  ["treasury", testAccount(9)],
  ...VERIFIERS.map((name, i): [string, LocalAccount] => [name, testAccount(i + 10)]),
]);

export interface Call {
  from: string;
  contract: keyof typeof ABIS;
  name: string;
  args: readonly unknown[];
}

export interface Done {
  ok: boolean;
  block: number;
  /** verifiers that the call drew */
  drawn: string[];
}

/** What the chain says of every account and job, in the shape in which the model can say it too. */
export interface Books {
  accounts: Record<string, { wallet: bigint; claimable: bigint; bond: bigint; reserved: bigint }>;
  locked: bigint[];
  owed: bigint;
  held: bigint;
}

export const stateHash = (step: number): Hex => numberToHex(step, { size: 32 });
export const traceRoot = (step: number): Hex => numberToHex(step + 1_000_000, { size: 32 });

/** Starts a chain with the deployed protocol on it, and nobody registered. */
export async function startProtocol() {
  const chain = await startTestChain({ startTime: START_TIME });
  const deployment: Deployment = await deployProtocol(chain);
  const { contracts } = deployment;
  const client = createPublicClient({ transport: http(chain.rpc, { batch: { batchSize: 200 } }) });
  const request = (method: string, ...params: unknown[]) =>
    client.request({ method, params } as Parameters<typeof client.request>[0]) as Promise<unknown>;
  const address = (name: string): Address => {
    const known = people.get(name);
    if (known === undefined) throw new Error(`nobody is called ${name}`);
    return known.address;
  };
  const nameOf = new Map([...people].map(([name, account]) => [account.address.toLowerCase(), name]));

  // Blocks come when the story says so.
  await request("evm_setAutomine", false);
  await request("anvil_removeBlockTimestampInterval");
  await request("anvil_autoImpersonateAccount", true);
  for (const { address } of people.values()) await request("anvil_setBalance", address, "0xde0b6b3a7640000000");

  function queue({ from, contract, name, args }: Call, gas: number): Promise<unknown> {
    const data = encodeFunctionData({ abi: ABIS[contract] as Abi, functionName: name, args });
    return request("eth_sendTransaction", {
      from: address(from),
      to: contracts[contract],
      data,
      gas: numberToHex(gas),
    });
  }

  /** All in one block; each must succeed. */
  async function sendAll(calls: readonly Call[], time: number): Promise<void> {
    const hashes: Hex[] = [];
    for (const call of calls) hashes.push((await queue(call, 600_000)) as Hex);
    await request("evm_mine", numberToHex(time));
    const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash })));
    const failed = calls.filter((_, i) => receipts[i]?.status !== "success");
    if (failed.length > 0) throw new Error(`refused: ${failed.map(({ from, name }) => `${from}: ${name}`).join(", ")}`);
  }

  async function send(call: Call, time: number): Promise<Done> {
    const hash = (await queue(call, 3_000_000)) as Hex;
    await request("evm_mine", numberToHex(time));
    const receipt = await client.getTransactionReceipt({ hash });
    return {
      ok: receipt.status === "success",
      block: Number(receipt.blockNumber),
      drawn: receipt.logs.flatMap((log) => drawnBy(log)),
    };
  }

  function drawnBy(log: Log): string[] {
    if (log.address.toLowerCase() !== contracts.jobs.toLowerCase()) return [];
    const { eventName, args } = decodeEventLog({ abi: jobsAbi, data: log.data, topics: log.topics });
    const drawn =
      eventName === "CommitteeSeated" ? args.verifiers : eventName === "SeatReplaced" ? [args.verifier] : [];
    return drawn.map((verifier) => nameOf.get(verifier.toLowerCase()) ?? verifier);
  }

  /** One call for the whole of it, run against the latest block. */
  async function books(jobs: number): Promise<Books> {
    const escrow = { address: contracts.escrow, abi: escrowAbi } as const;
    const usdc = { address: contracts.usdc, abi: testUsdcAbi } as const;
    const names = [...people.keys()];
    const ids = Array.from({ length: jobs }, (_, i) => BigInt(i + 1));
    const all = { allowFailure: false, deployless: true, batchSize: 100_000 } as const;
    const results = await client.multicall({
      ...all,
      contracts: [
        ...names.map((name) => ({ ...escrow, functionName: "balanceOf", args: [address(name)] }) as const),
        ...names.map((name) => ({ ...usdc, functionName: "balanceOf", args: [address(name)] }) as const),
        ...ids.map((id) => ({ ...escrow, functionName: "budgetOf", args: [id] }) as const),
        { ...escrow, functionName: "reserves" } as const,
      ],
    });
    const balances = results.slice(0, names.length) as { claimable: bigint; bond: bigint; reserved: bigint }[];
    const wallets = results.slice(names.length, 2 * names.length) as bigint[];
    const budgets = results.slice(2 * names.length, -1) as [bigint, bigint][];
    const [held, owed] = results.at(-1) as [bigint, bigint];
    const accounts = Object.fromEntries(
      names.map((name, i) => [
        name,
        {
          wallet: wallets[i] ?? 0n,
          claimable: balances[i]?.claimable ?? 0n,
          bond: balances[i]?.bond ?? 0n,
          reserved: balances[i]?.reserved ?? 0n,
        },
      ]),
    );
    return { accounts, locked: budgets.map(([, locked]) => locked), owed, held };
  }

  async function verdict(job: number, index: number, lease: number, step: number, signer: string, said: Said) {
    const account = people.get(signer);
    if (account === undefined) throw new Error(`nobody is called ${signer}`);
    const checkpointId = (BigInt(job) << 32n) | BigInt(index);
    const body = {
      ...{ jobId: BigInt(job), fence: lease, checkpointId, score: 900_000, ...said },
      contentDigest: contentDigestOf(stateHash(step), traceRoot(step)),
      evidenceHash: evidenceHashOf(zeroHash, account.address, checkpointId),
    };
    const signed = await signVerdict(deployment, account, body);
    return { ...signed, outcome: ["Accept", "Refuse", "Unavailable"].indexOf(said.outcome) + 1 };
  }

  async function eviction(job: number, fence: number, attestedAt: number, signer: string) {
    const account = people.get(signer);
    if (account === undefined) throw new Error(`nobody is called ${signer}`);
    return signEviction(deployment, account, { jobId: BigInt(job), fence, attestedAt: BigInt(attestedAt) });
  }

  /** Why the chain refuses a call, as of now. */
  async function reason({ from, contract, name, args }: Call): Promise<string> {
    const call = {
      address: contracts[contract],
      abi: [...ABIS[contract], ...protocolAbi] as Abi,
      functionName: name,
      args,
    };
    return client.simulateContract({ ...call, account: address(from) }).then(
      () => "it goes through now",
      (error: Error) => error.message,
    );
  }

  const now = async () => Number((await client.getBlock({ blockTag: "latest" })).timestamp);
  return {
    chain,
    deployment,
    request,
    send,
    sendAll,
    reason,
    books,
    verdict,
    eviction,
    now,
    address,
    contracts,
    stop: () => chain.stop(),
  };
}

interface Said {
  outcome: Outcome;
  metTarget: boolean;
}

export type Protocol = Awaited<ReturnType<typeof startProtocol>>;
