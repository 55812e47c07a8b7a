// What the owner and the arbiter do with `npm run admin`, against a real chain: each call is shown with its effect, and sent only when told.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { registryAbi } from "@gpuchain/sdk/chain";
import { createKeystore } from "@gpuchain/sdk/crypto";
import { type Abi, toHex, zeroHash } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../script/lib/root.ts";
import { testAccount } from "../../sdk/src/chain/testing/anvil.ts";
import { type Call, type Protocol, people, startProtocol, stateHash, traceRoot } from "./differential/protocol.ts";

const USDC = 1_000_000n;
const FIRST = 1n << 32n;
let protocol: Protocol;
let directory: string;
let time: number;

const file = (name: string) => path.join(directory, name);

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), "gpuchain-test-"));
  protocol = await startProtocol();
  const { deployment } = protocol;
  writeFileSync(file("deployment.json"), JSON.stringify({ ...deployment, startBlock: Number(deployment.startBlock) }));
  writeFileSync(file("password"), "right\n", { mode: 0o600 });
  for (const [name, index] of [
    ["owner", 0],
    ["arbiter", 8],
  ] as const) {
    const { privateKey } = testAccount(index).getHdKey();
    await createKeystore(file(name), "right", { strength: "light", privateKey: toHex(privateKey as Uint8Array) });
  }
  time = await protocol.now();
  await prepareDispute();
  // From here on the commands make the blocks.
  await protocol.request("evm_setAutomine", true);
}, 240_000);

afterAll(async () => {
  await protocol?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** A job whose first two checkpoints are accepted and contested by the client. */
async function prepareDispute(): Promise<void> {
  const key = `0x${"11".repeat(32)}`;
  const calls: Call[] = [];
  for (const [name, { address }] of people) {
    calls.push({ from: name, contract: "usdc", name: "mint", args: [address, 1_000n * USDC] });
    calls.push({ from: name, contract: "usdc", name: "approve", args: [protocol.contracts.escrow, 1_000n * USDC] });
  }
  await protocol.sendAll(calls, ++time);
  const provider = { name: "alice", pricePerStep: 1_000n, deviceHash: key, encryptionKey: key, metadata: "{}" };
  const args = [provider, people.get("alice")?.address, 5n * USDC];
  const seats = ["v0", "v1", "v2"].map((from): Call => {
    const profile = { endpoint: `http://${from}.example`, encryptionKey: key, minFee: 1_000n, templateMask: 15 };
    return { from, contract: "registry", name: "registerVerifier", args: [profile, 100n * USDC] };
  });
  await protocol.sendAll([{ from: "alice", contract: "registry", name: "registerProvider", args }, ...seats], ++time);
  const terms = {
    ...{ templateId: 0, specHash: traceRoot(1), genesisHash: stateHash(1), eligibilityRoot: zeroHash, totalSteps: 30 },
    ...{ checkpointInterval: 10, maxPricePerStep: 1_000n, verifierFee: 1_000n, leaseDuration: 60, segmentTimeout: 60 },
    ...{ pulseTimeoutMs: 500, auctionRamp: 0, verdictTimeout: 60, deadline: time + 3_600, gracePeriod: 600 },
    ...{ disputeWindow: 600, budget: 2n * USDC },
  };
  await must({ from: "client", contract: "jobs", name: "postJob", args: [terms] });
  await must({ from: "alice", contract: "jobs", name: "acquireLease", args: [1n, []] });
  await must({ from: "alice", contract: "jobs", name: "seatCommittee", args: [1n] });
  for (const index of [1, 2]) {
    const [id, step] = [FIRST + BigInt(index), 10 * index];
    const parent = index === 1 ? 0n : FIRST + 1n;
    const commit = [1n, 1, parent, step, stateHash(step), traceRoot(step), false];
    await must({ from: "alice", contract: "jobs", name: "commitCheckpoint", args: commit });
    const said = { outcome: "Accept", metTarget: true } as const;
    const votes = await Promise.all(["v0", "v1"].map((seat) => protocol.verdict(1, index, 1, step, seat, said)));
    await must({ from: "bob", contract: "jobs", name: "castVerdicts", args: [id, votes] });
  }
  await must({ from: "client", contract: "court", name: "dispute", args: [FIRST + 1n, toHex("reason", { size: 32 })] });
}

async function must(call: Call): Promise<void> {
  const { ok } = await protocol.send(call, ++time);
  if (!ok) throw new Error(`${call.name}: ${await protocol.reason(call)}`);
}

interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

function admin(...args: string[]): Promise<Result> {
  const common = ["--rpc", protocol.chain.rpc, "--deployment", file("deployment.json")];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [path.join(root, "script/dist/admin/main.js"), ...common, ...args],
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

const signed = (who: "owner" | "arbiter", ...args: string[]) =>
  admin("--keystore", file(who), "--password-file", file("password"), "--yes", ...args);
const read = (
  functionName: "template" | "templateCount" | "config",
  args: readonly number[] = [],
): Promise<unknown> => {
  const call = { address: protocol.contracts.registry, abi: registryAbi as Abi, functionName, args };
  return protocol.chain.test.readContract(call);
};

describe("the owner", () => {
  test("sees what a call would do, and nothing is signed in a dry run", async () => {
    const owner = testAccount(0).address;
    const dry = await admin("--dry-run", "--from", owner, "approve-template", "vision", "--min-fee", "0.01");
    expect(dry.stderr).toBe("");
    expect(dry.stdout).toContain("approveTemplate(vision, 10000)");
    expect(dry.stdout).toContain("registry.TemplateApproved");
    expect(dry.stdout).toContain("dry run: nothing was signed");
    expect(dry.code).toBe(0);
    expect(await read("templateCount")).toBe(4n);
  });

  test("a stranger's call is refused before anything is signed, with the contract's own reason", async () => {
    const stranger = testAccount(3).address;
    const refused = await admin("--dry-run", "--from", stranger, "revoke-template", "0");
    expect(refused.stderr).toMatch(/^error: .*OwnableUnauthorizedAccount/m);
    expect(refused.code).toBe(1);
  });

  test("without a terminal nothing is sent unless --yes says so", async () => {
    const result = await admin(
      "--keystore",
      file("owner"),
      "--password-file",
      file("password"),
      "revoke-template",
      "0",
    );
    expect(result.stderr).toMatch(/--yes/);
    expect(result.code).toBe(2);
    expect(await read("template", [0])).toMatchObject({ approved: true });
  });

  test("approves and revokes a template", async () => {
    const approved = await signed("owner", "--json", "approve-template", "vision", "--min-fee", "0.01");
    expect(approved.stderr).toBe("");
    expect(JSON.parse(approved.stdout)).toMatchObject({ call: "approveTemplate", sent: true });
    expect(await read("template", [4])).toMatchObject({ name: "vision", minVerifierFee: 10_000n, approved: true });
    const revoked = await signed("owner", "revoke-template", "4");
    expect(revoked.stdout).toMatch(/mined in 0x/);
    expect(await read("template", [4])).toMatchObject({ approved: false });
    const list = JSON.parse((await admin("--json", "templates")).stdout);
    expect(list).toHaveLength(5);
  });

  test("names arbiter and treasury of jobs to come", async () => {
    const [arbiter, treasury] = [testAccount(5).address, testAccount(6).address];
    const named = await signed("owner", "name-config", "--arbiter", arbiter, "--treasury", treasury);
    expect(named.stdout).toContain("registry.ConfigNamed");
    expect(await read("config", [1])).toEqual({ arbiter, treasury });
    expect(await read("config", [0])).toMatchObject({ arbiter: testAccount(8).address });
  });
});

describe("the arbiter", () => {
  test("lists what is open, with votes and where their evidence is", async () => {
    const [open, ...others] = JSON.parse((await admin("--json", "challenges")).stdout);
    expect(others).toEqual([]);
    expect(open).toMatchObject({
      ...{ checkpointId: String(FIRST + 1n), kind: "Dispute", jobId: "1", step: 10, bondUsdc: "1.000000" },
      ...{ opener: people.get("client")?.address, provider: people.get("alice")?.address },
    });
    expect(open.votes.map((vote: { evidence: string }) => vote.evidence).sort()).toEqual([
      `http://v0.example/v1/evidence/${FIRST + 1n}`,
      `http://v1.example/v1/evidence/${FIRST + 1n}`,
    ]);
  });

  test("a ruling of the wrong kind is named before it costs anything", async () => {
    const wrong = await signed("arbiter", "grant", String(FIRST + 1n));
    expect(wrong.stderr).toMatch(/^error: .*no open appeal/m);
    expect(wrong.code).toBe(1);
  });

  test("tries a cut, sees what it would move, and leaves it", async () => {
    const from = people.get("arbiter")?.address ?? "";
    const cut = await admin(
      "--dry-run",
      "--from",
      from,
      "cut",
      String(FIRST + 1n),
      "--from-checkpoint",
      String(FIRST + 2n),
    );
    expect(cut.stdout).toContain("jobs.ChainCut");
    expect(cut.stdout).toMatch(/escrow\.BondSlashed .*20000000/);
    expect(JSON.parse((await admin("--json", "challenges")).stdout)).toHaveLength(1);
  });

  test("upholds it, and nothing is open any more", async () => {
    const done = await signed("arbiter", "uphold", String(FIRST + 1n));
    expect(done.stderr).toBe("");
    expect(done.stdout).toContain("court.ChallengeClosed");
    expect(done.code).toBe(0);
    expect(JSON.parse((await admin("--json", "challenges")).stdout)).toEqual([]);
  });
});
