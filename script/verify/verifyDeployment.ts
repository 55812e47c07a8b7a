// Holds a deployment file against a chain: everything that the deploy script wrote down is read again, and the code on chain is compared
// with what the compiler makes of these sources and constructor arguments, immutables included.
import {
  type Address,
  encodeAbiParameters,
  encodeDeployData,
  type Hex,
  isAddressEqual,
  keccak256,
  type PublicClient,
  parseAbi,
  parseAbiItem,
} from "viem";
import { type Artifact, readArtifact } from "./artifact.ts";
import type { ContractName, DeploymentFile } from "./deploymentFile.ts";

export interface Check {
  what: string;
  ok: boolean;
  /** why not, for a person; undefined when ok */
  differs?: string;
}

export interface Verification {
  ok: boolean;
  checks: Check[];
  /** what has changed since and may: for a person to know */
  notes: string[];
}

const SOURCES = {
  escrow: "Escrow",
  registry: "Registry",
  settlement: "Settlement",
  jobs: "Jobs",
  court: "Court",
  lens: "Lens",
} as const;
type Ours = keyof typeof SOURCES;
const OURS = Object.keys(SOURCES) as Ours[];

/** Circle's own token, where the protocol is meant to run with it. */
const USDC_OF_CHAIN: Record<number, Address> = { 84532: "0x036CbD53842c5426634e7929541eC2318f3dCF7e" };

const VIEWS = parseAbi([
  "struct Limits { uint32 minLeaseDuration; uint32 minVerdictTimeout; uint32 minDisputeWindow; uint64 maxBudget; uint64 minProviderBond; uint64 minVerifierBond; uint32 appealWindow; uint32 arbiterPeriod; uint32 unbondingPeriod; uint32 drawDelay; uint32 longCoolDown; uint32 shortCoolDown }",
  "struct Config { address arbiter; address treasury; }",
  "function usdc() view returns (address)",
  "function escrow() view returns (address)",
  "function registry() view returns (address)",
  "function jobs() view returns (address)",
  "function court() view returns (address)",
  "function settlement() view returns (address)",
  "function owner() view returns (address)",
  "function pendingOwner() view returns (address)",
  "function decimals() view returns (uint8)",
  "function PROTOCOL_VERSION() view returns (uint256)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function limits() view returns (Limits)",
  "function config(uint16 configId) view returns (Config)",
  "function configId() view returns (uint16)",
]);
const CONFIG_NAMED = parseAbiItem(
  "event ConfigNamed(uint16 indexed configId, address indexed arbiter, address indexed treasury)",
);
const DOMAIN_TYPE = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";

/** Reads all of it; nothing is sent. @throws when the chain cannot be read */
export async function verifyDeployment(client: PublicClient, file: DeploymentFile): Promise<Verification> {
  const checks: Check[] = [];
  const notes: string[] = [];
  const check = (what: string, differs: string | undefined) =>
    void checks.push({ what, ok: differs === undefined, ...(differs === undefined ? {} : { differs }) });
  const same = (what: string, found: unknown, expected: unknown) => {
    const [a, b] = [plain(found), plain(expected)];
    check(what, a === b ? undefined : `chain ${a}, file ${b}`);
  };

  const chainId = await client.getChainId();
  same("chain id", chainId, file.chainId);
  if (chainId !== file.chainId) return { ok: false, checks, notes };

  const codes = await codesOf(client, file);
  for (const [name, address] of Object.entries(file.contracts)) {
    const code = codes[name as ContractName];
    if (code === undefined) check(`code of ${name}`, `no contract at ${address}`);
    else same(`code hash of ${name}`, keccak256(code), file.bytecodeHashes[name as ContractName]);
  }
  // What follows asks the contracts; without their code there is nobody to ask.
  if (Object.values(codes).includes(undefined)) return { ok: false, checks, notes };

  const artifacts = Object.fromEntries(OURS.map((name) => [name, readArtifact(SOURCES[name])])) as Record<
    Ours,
    Artifact
  >;
  for (const name of OURS) {
    same(`compiler settings of ${name}`, artifacts[name].compiler, file.compiler);
    same(
      `constructor arguments of ${name}`,
      encodedArguments(artifacts[name], argumentsOf(name, file)),
      file.constructorArgs[name],
    );
    check(`compiled code of ${name}`, await compareCode(client, name, artifacts[name], file, codes[name]));
  }

  const read = async (name: ContractName, functionName: ViewName, args: readonly unknown[] = []): Promise<unknown> => {
    const call = { address: file.contracts[name], abi: VIEWS, functionName, args };
    // A stranger at this address may answer anything or nothing: that is a difference, not a crash.
    return client.readContract(call as never).catch((error: Error) => `no answer (${error.name})`);
  };
  for (const name of ["jobs", "registry", "court", "escrow"] as const) {
    same(`protocol version of ${name}`, await read(name, "PROTOCOL_VERSION"), file.protocolVersion);
  }
  same("EIP-712 domain of jobs", await read("jobs", "DOMAIN_SEPARATOR"), domainOf(file));
  same("limits", await read("registry", "limits"), file.limits);
  same("first arbiter and treasury", await read("registry", "config", [0]), {
    arbiter: file.arbiter,
    treasury: file.treasury,
  });
  const links: [ContractName, ContractName][] = [
    ...(["usdc", "jobs", "registry", "court"] as const).map((to): [ContractName, ContractName] => ["escrow", to]),
    ...(["escrow", "jobs", "court"] as const).map((to): [ContractName, ContractName] => ["registry", to]),
    ...(["escrow", "registry", "court", "settlement"] as const).map((to): [ContractName, ContractName] => ["jobs", to]),
    ...(["escrow", "registry", "jobs"] as const).map((to): [ContractName, ContractName] => ["court", to]),
    ["lens", "jobs"],
  ];
  for (const [from, to] of links) {
    same(`${from} names ${to}`, await read(from, to as ViewName), file.contracts[to]);
  }
  same("decimals of usdc", await read("usdc", "decimals"), 6);
  const circles = USDC_OF_CHAIN[file.chainId];
  if (circles !== undefined) same("usdc is Circle's", file.contracts.usdc, circles);

  const owner = (await read("registry", "owner")) as Address;
  const pending = (await read("registry", "pendingOwner")) as Address;
  if (isSame(pending, file.owner) && isSame(owner, file.deployer)) {
    notes.push(`${file.owner} has not accepted the ownership yet: ${owner} is still the owner`);
  } else {
    same("owner", owner, file.owner);
  }
  const newest = Number(await read("registry", "configId"));
  if (newest > 0) notes.push(`${newest} other arbiters and treasuries were named since; jobs pin theirs`);
  check("start block", await compareStart(client, file));
  return { ok: checks.every(({ ok }) => ok), checks, notes };
}

type ViewName = Extract<(typeof VIEWS)[number], { type: "function" }>["name"];

async function codesOf(client: PublicClient, file: DeploymentFile): Promise<Record<ContractName, Hex | undefined>> {
  const entries = await Promise.all(
    Object.entries(file.contracts).map(async ([name, address]) => [name, await client.getCode({ address })] as const),
  );
  return Object.fromEntries(entries) as Record<ContractName, Hex | undefined>;
}

/** The constructor arguments that the file's own addresses and limits amount to. */
function argumentsOf(name: Ours, { contracts: c, deployer, arbiter, treasury, limits }: DeploymentFile): unknown[] {
  switch (name) {
    case "escrow":
      return [c.usdc, c.jobs, c.registry, c.court];
    case "registry":
      return [deployer, c.escrow, c.jobs, c.court, { arbiter, treasury }, limits];
    case "settlement":
      return [c.escrow, c.registry, c.court, limits];
    case "jobs":
      return [c.escrow, c.registry, c.court, c.settlement, limits];
    case "court":
      return [c.escrow, c.registry, c.jobs, limits];
    case "lens":
      return [c.jobs];
  }
}

function encodedArguments({ abi }: Artifact, args: unknown[]): Hex {
  return encodeDeployData({ abi, bytecode: "0x", args } as never);
}

/**
 * Runs the creation code with the file's arguments, without sending it, and compares what it would put on chain with what is there. One
 * word may be another: an immutable that holds the contract's own address in a hash, which the caller has computed.
 */
async function compareCode(
  client: PublicClient,
  name: Ours,
  artifact: Artifact,
  file: DeploymentFile,
  found: Hex | undefined,
): Promise<string | undefined> {
  const data = `${artifact.creationCode}${file.constructorArgs[name].slice(2)}` as Hex;
  const made = await client.call({ data }).then(
    (result) => result.data,
    (error: Error) => error,
  );
  if (made instanceof Error) return `the compiled code cannot be created with these arguments: ${made.name}`;
  if (made === undefined || found === undefined || made.length !== found.length) {
    return `${((found?.length ?? 2) - 2) / 2} bytes on chain, ${((made?.length ?? 2) - 2) / 2} compiled`;
  }
  const own = domainOf(file).slice(2);
  let rest = made;
  for (const { start, length } of artifact.immutables) {
    const [from, to] = [2 + 2 * start, 2 + 2 * (start + length)];
    if (found.slice(from, to) === own) rest = `${rest.slice(0, from)}${own}${rest.slice(to)}` as Hex;
  }
  if (rest === found) return undefined;
  const at = [...rest].findIndex((digit, i) => digit !== found[i]);
  return `it is other code than these sources give, from byte ${Math.floor((at - 2) / 2)} on`;
}

function domainOf(file: DeploymentFile): Hex {
  const text = (value: string) => keccak256(new TextEncoder().encode(value));
  const types = [
    { type: "bytes32" },
    { type: "bytes32" },
    { type: "bytes32" },
    { type: "uint256" },
    { type: "address" },
  ];
  return keccak256(
    encodeAbiParameters(types, [
      ...[text(DOMAIN_TYPE), text("GPUChain"), text(String(file.protocolVersion))],
      ...[BigInt(file.chainId), file.contracts.jobs],
    ]),
  );
}

/** The registry names its first arbiter in its constructor: that log must stand at or after the file's first block. */
async function compareStart(client: PublicClient, file: DeploymentFile): Promise<string | undefined> {
  const [head, first] = [await client.getBlockNumber({ cacheTime: 0 }), BigInt(file.startBlock)];
  if (first > head) return `the chain has ${head} blocks, the file says ${first}`;
  const range = { fromBlock: first, toBlock: first + 1_000n < head ? first + 1_000n : head };
  const logs = await client.getLogs({
    ...{ address: file.contracts.registry, event: CONFIG_NAMED, args: { configId: 0 } },
    ...range,
  });
  return logs.length > 0 ? undefined : `the registry was not deployed within 1,000 blocks from ${file.startBlock} on`;
}

function isSame(a: Address, b: Address): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(a) && isAddressEqual(a, b);
}

/** A value as text in which equal things are equal: addresses in lower case, numbers without their type, keys sorted. */
function plain(value: unknown): string {
  if (typeof value === "string") return /^0x[0-9a-fA-F]*$/.test(value) ? value.toLowerCase() : value;
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value).map(([key, inner]) => `${key} ${plain(inner)}`);
  return entries.sort().join(", ");
}
