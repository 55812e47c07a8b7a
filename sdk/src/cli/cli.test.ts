import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createGpuchainClient, type Deployment, type GpuchainClient } from "../chain/index.ts";
import { startTestChain, type TestChain, testAccount } from "../chain/testing/anvil.ts";
import { startLimitingProxy } from "../chain/testing/faultyProxy.ts";
import { addProvider, addVerifier } from "../chain/testing/parties.ts";
import { deployProtocol } from "../chain/testing/protocol.ts";
import { startTestGateway, type TestGateway } from "../client/testing/testGateway.ts";
import { createKeystore } from "../crypto/index.ts";
import { parseJsonc } from "./jsonc.ts";
import { captureCli } from "./testing/captureCli.ts";

let chain: TestChain;
let deployment: Deployment;
let gateways: TestGateway[];
let client: GpuchainClient;
let dir: string;
let base: string[];

beforeAll(async () => {
  chain = await startTestChain();
  deployment = await deployProtocol(chain);
  gateways = await Promise.all([1, 2, 3].map(() => startTestGateway()));
  for (const [index, { url }] of gateways.entries()) await addVerifier(chain, deployment, testAccount(3 + index), url);
  await addProvider(chain, deployment, testAccount(6), 1_000n);
  client = createGpuchainClient({ rpc: chain.rpc, deployment });
});
afterAll(async () => {
  client.close();
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await chain.stop();
});

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "cli-"));
  const file = join(dir, "deployment.json");
  writeFileSync(file, JSON.stringify({ ...deployment, startBlock: Number(deployment.startBlock) }));
  base = [
    "--rpc",
    chain.ws,
    "--deployment",
    file,
    "--data-dir",
    join(dir, "data"),
    "--profile",
    join(dir, "profile.json"),
  ];
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

async function cli(...argv: string[]) {
  const outcome = await captureCli([...argv, ...base]);
  return { ...outcome, json: () => outcome.lines[0] as CliJson };
}

/** Fields of what commands print, as far as the tests look into them. */
interface CliJson {
  notes: string[];
  providers: object[];
  holders: string[];
  jobId: string;
  specHash: string;
  error: { code: string };
}

async function useKey(): Promise<`0x${string}`> {
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  await chain.test.setBalance({ address, value: parseEther("1") });
  vi.stubEnv("GPUCHAIN_PRIVATE_KEY", key);
  return address;
}

function texts(): string {
  const path = join(dir, "mails.csv");
  const rows = Array.from(
    { length: 60 },
    (_, i) => `"message ${i} ${i % 3 === 0 ? "win money" : "see you"}",${i % 3 === 0 ? "spam" : "ham"}`,
  );
  writeFileSync(path, ["Message,category", ...rows].join("\n"));
  return path;
}

async function jobFile(): Promise<string> {
  const path = join(dir, "job.jsonc");
  expect((await cli("init", path, "--data", texts(), "--steps", "20")).code).toBe(0);
  return path;
}

describe("gpuchain", () => {
  it("goes from a CSV to a posted job, and shows it; a second post changes nothing", async () => {
    const address = await useKey();
    const file = await jobFile();
    const checked = (await cli("check", file, "--json")).json();
    expect(checked).toMatchObject({ ok: true, steps: 20, checkpoints: 1, worstCase: "0.094800" });
    expect(checked.notes.join()).toContain("ham, spam");
    const estimated = (await cli("estimate", file, "--json")).json();
    expect(estimated).toMatchObject({ verifiers: 3, likely: "0.051600", budget: "1.000000" });
    expect(estimated.providers).toMatchObject([{ name: "test", pricePerStep: "0.001000" }]);
    expect((await cli("faucet", "5")).out).toContain("5.000000 USDC");
    const posted = (await cli("post", file, "--json")).json();
    expect(posted).toMatchObject({ already: false, budget: "1.000000" });
    expect(posted.holders).toHaveLength(3);
    expect((await cli("post", file, "--json")).json()).toMatchObject({ jobId: posted.jobId, already: true });

    const listed = (await cli("list", "--json")).json();
    expect(listed).toMatchObject([{ jobId: posted.jobId, status: "Open", client: address, specHash: posted.specHash }]);
    const shown = await cli("show", posted.jobId);
    expect(shown.out).toMatch(/nobody holds the lease yet/);
    expect(shown.out).toMatch(/still locked +1\.000000/);
    expect((await cli("balance", "--json")).json()).toMatchObject({
      account: address,
      wallet: "4.000000",
      claimable: "0.000000",
    });
    expect(await cli("fetch", posted.jobId, "--json")).toMatchObject({
      code: 1,
      error: expect.stringContaining("no accepted checkpoint yet"),
    });

    expect((await cli("cancel", posted.jobId, "--json")).json()).toMatchObject({
      jobId: posted.jobId,
      cancelFeeDue: false,
    });
    expect((await cli("cancel", posted.jobId)).code).toBe(0);
    expect((await cli("withdraw")).out).toContain("nothing to withdraw");
  });

  it("takes the key from a key file with a password file", async () => {
    const keystore = join(dir, "key.json");
    const passwordFile = join(dir, "password");
    writeFileSync(passwordFile, "secret\n");
    const { address } = await createKeystore(keystore, "secret", { strength: "light" });
    await chain.test.setBalance({ address, value: parseEther("1") });
    const key = ["--keystore", keystore, "--password-file", passwordFile];
    expect((await cli("faucet", "1", "--json", ...key)).json()).toMatchObject({
      account: address,
      balance: "1.000000",
    });
    writeFileSync(passwordFile, "wrong\n");
    expect(await cli("faucet", "1", ...key)).toMatchObject({
      code: 1,
      error: expect.stringContaining("password does not open"),
    });
  });

  it.each([
    ["no key", ["faucet"], 1, "this command needs your key"],
    ["a wrong key file", ["faucet", "--keystore", "/nowhere/key.json"], 1, "cannot read the key file"],
    ["no chain", ["list", "--all", "--rpc", "http://127.0.0.1:1"], 1, "no answer from the chain"],
    ["a missing deployment", ["list", "--all", "--deployment", "/nowhere.json"], 1, "cannot read the deployment file"],
    ["an unknown network", ["list", "--network", "moon"], 1, "there is no network"],
    ["a job that is not there", ["show", "999"], 1, "there is no job 999"],
    ["no number", ["show", "abc"], 2, "no job number"],
    ["no such command", ["steal"], 2, "unknown command"],
    ["no argument", ["post"], 2, "missing required argument"],
    ["a missing job file", ["check", "/nowhere.jsonc"], 1, "cannot read /nowhere.jsonc"],
  ])("says what is wrong and what to do: %s", async (_what, argv, code, text) => {
    // Given last, they win over the base settings.
    base = [...base.filter((_, index) => !argv.includes(base[index - (index % 2)] ?? ""))];
    const said = await cli(...argv, "--json");
    expect(said.error).toContain(text);
    expect(said.error).toMatch(/hint: |see gpuchain --help/);
    expect(said.code).toBe(code);
    // The program that called it is told as well.
    expect(said.json().error).toMatchObject({
      code: expect.stringMatching(/^[A-Z_]+$/),
      message: expect.stringContaining(text),
    });
  });

  it("names the wrong chain and another protocol version", async () => {
    const other = (change: object) => {
      const path = join(dir, "other.json");
      writeFileSync(path, JSON.stringify({ ...deployment, startBlock: 0, ...change }));
      base = base.map((part, index) => (base[index - 1] === "--deployment" ? path : part));
      return cli("list", "--all", "--json");
    };
    expect((await other({ chainId: 8453 })).json().error.code).toBe("WRONG_CHAIN");
    expect((await other({ protocolVersion: 2 })).json().error.code).toBe("PROTOCOL_VERSION");
  });

  it("waits out the limits of a public RPC and says so, apart from the results", async () => {
    const limiting = await startLimitingProxy(chain.rpc);
    try {
      base = base.map((part, index) => (base[index - 1] === "--rpc" ? limiting.url : part));
      limiting.limit(1);
      const { code, out, error, lines } = await cli("list", "--all", "--json");
      expect(limiting.left).toBe(0);
      expect(code).toBe(0);
      expect(lines).toHaveLength(1);
      expect(out.trim().split("\n")).toHaveLength(1);
      expect(error.split("\n").filter((line) => line.includes("the RPC limits our requests; waiting"))).toHaveLength(1);
    } finally {
      await limiting.close();
    }
  });

  it("takes a network from the profile file, whose paths are relative to it", async () => {
    await createKeystore(join(dir, "key.json"), "secret", { strength: "light" });
    writeFileSync(join(dir, "password"), "secret\n");
    const mine = { rpc: chain.ws, deployment: "deployment.json", keystore: "key.json", passwordFile: "password" };
    writeFileSync(join(dir, "profile.json"), JSON.stringify({ networks: { mine } }));
    base = base.filter((_, index) => !["--rpc", "--deployment"].includes(base[index - (index % 2)] ?? ""));
    const { code, error, json } = await cli("balance", "--network", "mine", "--json");
    expect(error).toBe("");
    expect(code).toBe(0);
    expect(json()).toMatchObject({ wallet: "0.000000", account: expect.stringMatching(/^0x/) });
    writeFileSync(join(dir, "profile.json"), JSON.stringify({ networks: { mine: { ...mine, rcp: "" } } }));
    expect(await cli("balance", "--network", "mine")).toMatchObject({ code: 1, error: expect.stringContaining("rcp") });
  });

  it("knows Base Sepolia once its deployment file is there", async () => {
    await useKey();
    const folder = process.cwd();
    process.chdir(dir);
    await chain.test.request({ method: "anvil_setChainId", params: [84_532] } as never);
    try {
      // All but the public endpoint, in whose place the local chain stands.
      base = [...base.filter((_, index) => base[index - (index % 2)] !== "--deployment"), "--network", "base-sepolia"];
      mkdirSync("deployments");
      writeFileSync(
        "deployments/84532.json",
        JSON.stringify({ ...deployment, chainId: 84_532, startBlock: Number(deployment.startBlock) }),
      );
      expect((await cli("faucet", "2", "--json")).json()).toMatchObject({ balance: "2.000000" });
    } finally {
      await chain.test.request({ method: "anvil_setChainId", params: [31_337] } as never);
      process.chdir(folder);
    }
  });

  it("refuses bad jobs field by field, before anything is paid", async () => {
    const address = await useKey();
    await cli("faucet", "5");
    const good = parseJsonc(readFileSync(await jobFile(), "utf8")) as { job: Record<string, object>; money: object };
    const refuse = async (change: object, ...more: string[]) => {
      const path = join(dir, "bad.jsonc");
      writeFileSync(path, JSON.stringify({ ...good, ...change }));
      return (await cli("post", path, ...more)).error;
    };
    expect(await refuse({ money: {} })).toContain("money.maxPricePerStep");
    expect(await refuse({ money: { maxPricePerStep: "0.0000001" } })).toContain("at most six decimals");
    expect(await refuse({ extra: 1 })).toContain("extra");
    expect(await refuse({ job: { ...good.job, data: { ...good.job.data, label: "nothing" } } })).toContain("nothing");
    expect(await refuse({}, "--budget", "0.5")).toContain("under the minimum of 1.000000");
    expect(await refuse({}, "--budget", "5000")).toContain("holds 5.000000 USDC");
    expect(await client.read.getUsdcBalance({ account: address })).toBe(5_000_000n);
    expect(await client.read.listJobs({ client: address })).toEqual([]);
  });

  it("never overwrites a job file, and guesses the columns", async () => {
    const path = await jobFile();
    expect(parseJsonc(readFileSync(path, "utf8"))).toMatchObject({
      job: { data: { text: "Message", label: "category" } },
    });
    expect(await cli("init", path)).toMatchObject({ code: 1, error: expect.stringContaining("exists already") });
  });

  it("shows examples in the help of every command", async () => {
    const all = await cli("--help");
    const names = [...all.out.matchAll(/^ {2}([a-z]+) /gm)]
      .map(([, name]) => name as string)
      .filter((name) => name !== "help");
    expect(names.length).toBeGreaterThan(12);
    for (const name of names) expect((await cli(name, "--help")).out).toContain(`gpuchain ${name}`);
  });

  it.each(["bash", "zsh", "fish"].filter((shell) => spawnSync(shell, ["-c", ":"]).status === 0))(
    "gives a script that %s loads without a word",
    async (shell) => {
      const { out } = await cli("completion", shell);
      const { status, stdout, stderr } = spawnSync(shell, ["-c", out], { encoding: "utf8" });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
    },
  );

  it("completes commands and their flags in bash", async () => {
    const { out } = await cli("completion", "bash");
    const complete = (...words: string[]) => {
      const set = `COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; _gpuchain; echo "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", `${out}\n${set}`], { encoding: "utf8" }).trim();
    };
    expect(complete("gpuchain", "wi")).toBe("withdraw");
    expect(complete("gpuchain", "withdraw", "--t")).toBe("--to");
    expect(complete("gpuchain", "--network", "local", "watch", "--no")).toBe("--no-steps");
    expect((await cli("completion", "tcsh")).code).toBe(2);
  });

  it("stops at once on Ctrl-C, with 130", async () => {
    // Built, as a user has it; a loader would take longer to start than the command.
    const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
    await useKey();
    const file = await jobFile();
    await cli("faucet", "5");
    const { jobId } = (await cli("post", file, "--json")).json();
    const args = [main, "watch", jobId, "--json", ...base];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    const [first] = await once(child.stdout, "data");
    expect(JSON.parse(String(first).split("\n")[0] ?? "")).toMatchObject({
      type: "event",
      event: { name: "BudgetLocked" },
    });
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([130, null]);
    expect(existsSync(join(dir, "data", "client.db"))).toBe(true);
  });
});

describe("parseJsonc", () => {
  it("knows comments from strings", () => {
    expect(parseJsonc('{ // a\n "u": "http://x/*y*/", /* b\n */ "l": [1, 2,], "c": ",]", }')).toEqual({
      u: "http://x/*y*/",
      l: [1, 2],
      c: ",]",
    });
    expect(() => parseJsonc("{ // only")).toThrowError(SyntaxError);
  });
});
