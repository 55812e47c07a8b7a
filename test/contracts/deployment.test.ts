// A rehearsal of the public deployment: the real script on a local chain that calls itself Base Sepolia, then `verify-deployment` over
// what it wrote, and over the same with each thing tampered with.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { registryAbi } from "@gpuchain/sdk/chain";
import { type Address, type Hex, keccak256 } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalChain, localAccounts, startAnvil } from "../../script/lib/anvil.ts";
import { deployContracts } from "../../script/lib/deploy.ts";
import { ProcessGroup } from "../../script/lib/processes.ts";
import { root } from "../../script/lib/root.ts";
import { readArtifact } from "../../script/verify/artifact.ts";
import { type DeploymentFile, readDeploymentFile } from "../../script/verify/deploymentFile.ts";
import { verifyDeployment } from "../../script/verify/verifyDeployment.ts";

const BASE_SEPOLIA = 84532;
const CIRCLES_USDC: Address = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";

let group: ProcessGroup;
let chain: LocalChain;
let directory: string;
let file: DeploymentFile;

const request = (method: string, ...params: unknown[]) =>
  chain.public.request({ method, params } as Parameters<typeof chain.public.request>[0]) as Promise<unknown>;
const deploymentFile = () => path.join(directory, "84532.json");

beforeAll(async () => {
  group = new ProcessGroup("gpuchain-test-");
  directory = mkdtempSync(path.join(tmpdir(), "gpuchain-test-"));
  chain = await startAnvil(group, { blockTime: 0.25, chainId: BASE_SEPOLIA });
  await placeUsdc();
  await deployContracts(group, chain, deploymentFile());
  file = readDeploymentFile(deploymentFile());
});

afterAll(async () => {
  await group?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A token with USDC's functions at the address where Circle's stands. */
async function placeUsdc(): Promise<void> {
  const from = localAccounts.client.address;
  const hash = (await request("eth_sendTransaction", { from, data: readArtifact("TestUSDC").creationCode })) as Hex;
  const { contractAddress } = await chain.public.waitForTransactionReceipt({ hash });
  const code = await chain.public.getCode({ address: contractAddress as Address });
  await request("anvil_setCode", CIRCLES_USDC, code);
}

const differing = async (changed: DeploymentFile) =>
  (await verifyDeployment(chain.public, changed)).checks.filter(({ ok }) => !ok).map(({ what }) => what);

function verify(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [path.join(root, "script/dist/verify/main.js"), ...args],
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

describe("the deploy script on chain 84532", () => {
  test("takes Circle's USDC and the public limits, and writes down all of it", async () => {
    expect(file.contracts.usdc).toBe(CIRCLES_USDC);
    expect(file.chainId).toBe(BASE_SEPOLIA);
    expect(file.limits).toMatchObject({ maxBudget: 1_000_000_000, minDisputeWindow: 600, drawDelay: 3_600 });
    const { registry } = file.contracts;
    const limits = await chain.public.readContract({ address: registry, abi: registryAbi, functionName: "limits" });
    expect(limits.maxBudget).toBe(1_000_000_000n);
    const template = { address: registry, abi: registryAbi, functionName: "template", args: [3] } as const;
    expect(await chain.public.readContract(template)).toMatchObject({ name: "mlp", approved: true });
  });

  test("the command says yes, as text and as JSON", async () => {
    const text = await verify("--rpc", chain.rpcUrl, "--deployment", deploymentFile());
    expect(text.stdout).toMatch(/^yes: chain 84532 holds this deployment, \d+ checks\n$/);
    expect(text.code).toBe(0);
    const json = await verify("--rpc", chain.rpcUrl, "--deployment", deploymentFile(), "--json");
    expect(json.code).toBe(0);
    const { ok, checks } = JSON.parse(json.stdout);
    expect(ok).toBe(true);
    expect(checks.length).toBeGreaterThan(40);
  });
});

describe("verify-deployment, when the file lies", () => {
  const flip = (hex: Hex) => (hex.endsWith("0") ? `${hex.slice(0, -1)}1` : `${hex.slice(0, -1)}0`) as Hex;
  const cases: [string, (f: DeploymentFile) => Partial<DeploymentFile>, string][] = [
    ["another court", (f) => ({ contracts: { ...f.contracts, court: f.contracts.lens } }), "code hash of court"],
    ["nobody's address", (f) => ({ contracts: { ...f.contracts, jobs: f.owner } }), "code of jobs"],
    ["a limit", (f) => ({ limits: { ...f.limits, appealWindow: 1 } }), "limits"],
    [
      "constructor arguments",
      (f) => ({ constructorArgs: { ...f.constructorArgs, jobs: flip(f.constructorArgs.jobs) } }),
      "compiled code of jobs",
    ],
    [
      "a code hash",
      (f) => ({ bytecodeHashes: { ...f.bytecodeHashes, usdc: flip(f.bytecodeHashes.usdc) } }),
      "code hash of usdc",
    ],
    ["the optimizer", (f) => ({ compiler: { ...f.compiler, optimizerRuns: 1 } }), "compiler settings of escrow"],
    ["the arbiter", (f) => ({ arbiter: f.contracts.usdc }), "first arbiter and treasury"],
    ["the owner", (f) => ({ owner: f.treasury }), "owner"],
    ["the version", () => ({ protocolVersion: 2 }), "protocol version of court"],
    ["the first block", (f) => ({ startBlock: f.startBlock + 5_000 }), "start block"],
    ["the chain", () => ({ chainId: 8453 }), "chain id"],
  ];
  test.each(cases)("about %s", async (_, change, finds) => {
    expect(await differing({ ...file, ...change(file) })).toContain(finds);
  });

  test("the command names what differs and ends with 1; with 2 when it cannot look", async () => {
    const lie = path.join(directory, "lie.json");
    writeFileSync(
      lie,
      JSON.stringify({ ...JSON.parse(readFileSync(deploymentFile(), "utf8")), treasury: CIRCLES_USDC }),
    );
    const found = await verify("--rpc", chain.rpcUrl, "--deployment", lie);
    expect(found.stdout).toMatch(/^differs: first arbiter and treasury: /m);
    expect(found.stdout).toMatch(/^no: \d+ of \d+ checks differ$/m);
    expect(found.code).toBe(1);
    const nobody = await verify("--rpc", "http://127.0.0.1:1", "--deployment", deploymentFile());
    expect(nobody.stderr).toMatch(/^error: /);
    expect(nobody.code).toBe(2);
  });
});

describe("verify-deployment, when the chain is tampered with", () => {
  test.each(["jobs", "settlement", "escrow", "registry", "court", "lens"] as const)("one byte of %s", async (name) => {
    const address = file.contracts[name];
    const code = (await chain.public.getCode({ address })) as Hex;
    // An early byte that the constructor does not fill in.
    const changed = `${code.slice(0, 40)}${code.slice(40, 42) === "00" ? "01" : "00"}${code.slice(42)}`;
    await request("anvil_setCode", address, changed);
    const found = await differing(file);
    await request("anvil_setCode", address, code);
    expect(found).toContain(`code hash of ${name}`);
    expect(found).toContain(`compiled code of ${name}`);
    expect(await differing(file)).toEqual([]);
  });

  test("an immutable that no function tells", async () => {
    const address = file.contracts.court;
    const code = (await chain.public.getCode({ address })) as Hex;
    // What an overturned voter forfeits: 20 % of 100 USDC, as a word of the code.
    const forfeit = (20_000_000).toString(16).padStart(64, "0");
    expect(code).toContain(forfeit);
    await request("anvil_setCode", address, code.replaceAll(forfeit, (1).toString(16).padStart(64, "0")));
    const hash = { ...file.bytecodeHashes };
    hash.court = keccak256((await chain.public.getCode({ address })) as Hex);
    expect(await differing({ ...file, bytecodeHashes: hash })).toEqual(["compiled code of court"]);
    await request("anvil_setCode", address, code);
  });
});
