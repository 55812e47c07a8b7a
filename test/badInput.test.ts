// Wrong input to every command: one clear line, what to do next, the right exit code, nothing half done.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createKeystore } from "@gpuchain/sdk/crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalChain, startAnvil } from "../script/lib/anvil.ts";
import { deployContracts } from "../script/lib/deploy.ts";
import { ProcessGroup } from "../script/lib/processes.ts";
import { root } from "../script/lib/root.ts";

let group: ProcessGroup;
let chain: LocalChain;
let otherChain: LocalChain;
let directory: string;
let taken: Server;

beforeAll(async () => {
  group = new ProcessGroup("gpuchain-test-");
  directory = mkdtempSync(path.join(tmpdir(), "gpuchain-test-"));
  chain = await startAnvil(group, { blockTime: 1 });
  otherChain = await startAnvil(group, { blockTime: 1, chainId: 999 });
  await deployContracts(group, chain, file("deployment.json"));
  const deployment = JSON.parse(readFileSync(file("deployment.json"), "utf8"));
  const write = (name: string, change: object) =>
    writeFileSync(file(name), JSON.stringify({ ...deployment, ...change }));
  write("later-version.json", { protocolVersion: deployment.protocolVersion + 1 });
  write("nowhere.json", {
    contracts: {
      ...deployment.contracts,
      jobs: "0x00000000000000000000000000000000000000AA",
      registry: "0x00000000000000000000000000000000000000bb",
    },
  });
  writeFileSync(file("not-json.json"), "{");
  writeFileSync(file("password"), "right\n", { mode: 0o600 });
  writeFileSync(file("wrong-password"), "wrong\n", { mode: 0o600 });
  writeFileSync(file("no-key.json"), '{"version":3}', { mode: 0o600 });
  await createKeystore(file("key.json"), "right", { strength: "light" });
  taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
});

afterAll(async () => {
  taken?.close();
  await group?.close();
  rmSync(directory, { recursive: true, force: true });
});

const file = (name: string) => path.join(directory, name);
const port = (server: Server) => (server.address() as { port: number }).port;

/** Not spawnSync: while this process stands still nobody reads what the chain prints, and a full pipe stops it. */
function run(program: string, args: string[]): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [path.join(root, program), ...args],
      { timeout: 200_000 },
      (_, stdout, stderr) => resolve({ code: child.exitCode, text: stdout + stderr }),
    );
  });
}

const daemons = ["node/dist/main.js", "verifier/dist/main.js"] as const;

describe.each(daemons)("%s start", (program) => {
  const cases = (): [what: string, change: Record<string, string>, says: RegExp][] => [
    ["no RPC", { "--rpc": "http://127.0.0.1:1" }, /127\.0\.0\.1:1/],
    ["another chain", { "--rpc": otherChain.rpcUrl }, /chain/i],
    ["a missing deployment file", { "--deployment": file("absent.json") }, /deployment/i],
    ["a deployment file that is no JSON", { "--deployment": file("not-json.json") }, /deployment/i],
    ["addresses without code", { "--deployment": file("nowhere.json") }, /no (code|contract)|not .*deployed|nothing/i],
    ["another protocol version", { "--deployment": file("later-version.json") }, /version/i],
    ["a wrong password", { "--password-file": file("wrong-password") }, /password/i],
    ["a file that is no key file", { "--keystore": file("no-key.json") }, /key file/i],
  ];

  test("says what is wrong, what to do, and stops with nothing sent", async () => {
    const check = async ([what, change, says]: ReturnType<typeof cases>[number]) => {
      const data = mkdtempSync(file("data-"));
      const options = {
        "--rpc": chain.rpcUrl,
        "--deployment": file("deployment.json"),
        "--keystore": file("key.json"),
        "--password-file": file("password"),
        "--data": data,
        ...(program.startsWith("verifier") && { "--listen": "127.0.0.1:0", "--endpoint": "http://127.0.0.1:1" }),
        ...change,
      };
      const { code, text } = await run(program, ["start", ...Object.entries(options).flat()]);
      expect(text, what).toMatch(says);
      expect(text, what).toMatch(/^error: /m);
      expect(text, what).toMatch(/^ {2}hint: /m);
      expect(text, what).not.toMatch(/^\s+at .*\(.*:\d+:\d+\)/m);
      expect(code, what).toBeGreaterThan(0);
    };
    // Some wait for an answer that never comes: all at once they wait together.
    await Promise.all(cases().map(check));
  });

  test("an unknown flag is a usage error", async () => {
    const { code, text } = await run(program, ["start", "--no-such-flag"]);
    expect(text).toMatch(/no-such-flag/);
    expect(code).toBeGreaterThan(0);
  });
});

describe("demo", () => {
  test.each([
    ["a taken port", () => ["--rpc-port", String(port(taken))], /port \d+ is taken/],
    ["a kill at a checkpoint beyond the end", () => ["--steps", "150", "--kill-at", "150"], /--kill-at/],
    ["steps off the interval", () => ["--steps", "151"], /--steps/],
    ["a block time that is no number", () => ["--block-time", "soon"], /--block-time/],
  ])("%s", async (_, args, says) => {
    const { code, text } = await run("script/dist/demo.js", args());
    expect(text).toMatch(says);
    expect(code).toBeGreaterThan(0);
    expect(text).not.toMatch(/^\s+at .*\(.*:\d+:\d+\)/m);
  });
});

test.each([
  ["demo", "an argument that nobody asked for", ["extra"], /too many arguments/],
  ["demo", "an option in the place of a file", ["--record", "--json", "x"], /--record/],
  ["demo", "no name for a file", ["--json", ""], /--json/],
  [
    "devnet",
    "two providers of one name",
    ["--providers", "A:0.001,A:0.002"],
    /--providers.*two providers are called A/,
  ],
  ["devnet", "a provider for nothing", ["--providers", "A:0"], /--providers.*no name:price/],
  ["devnet", "a number that is none", ["--verifiers", "2"], /--verifiers/],
])("%s refuses %s at once, by name", async (script, _, args, says) => {
  const { code, text } = await run(`script/dist/${script}.js`, args);
  expect(text).toMatch(says);
  expect(text.trim().split("\n")).toHaveLength(1);
  expect(code).toBe(2);
});

describe("gpuchain post", () => {
  const program = "sdk/dist/cli/main.js";
  const connection = () => [
    "--rpc",
    chain.rpcUrl,
    "--deployment",
    file("deployment.json"),
    "--data-dir",
    file("client"),
  ];
  const key = () => ["--keystore", file("key.json"), "--password-file", file("password")];

  test("refuses a budget under the worst case, and posts nothing", async () => {
    const rows = Array.from({ length: 80 }, (_, i) => `${i % 2 ? "good" : "bad"},text number ${i} of them`);
    writeFileSync(file("data.csv"), `label,text\n${rows.join("\n")}\n`);
    const init = await run(program, ["init", file("job.jsonc"), "--data", file("data.csv")]);
    expect(init.code, init.text).toBe(0);
    const { code, text } = await run(program, [
      "post",
      file("job.jsonc"),
      "--budget",
      "0.01",
      ...connection(),
      ...key(),
    ]);
    expect(text).toMatch(/^error: .*budget.*minimum/m);
    expect(text).toMatch(/^ {2}hint: /m);
    expect(code).toBeGreaterThan(0);
    const list = await run(program, ["list", "--json", ...connection(), ...key()]);
    expect(list.code, list.text).toBe(0);
    expect(JSON.parse(list.text)).toEqual([]);
  });

  test("says which job file it cannot read", async () => {
    const { code, text } = await run(program, ["post", file("absent.jsonc"), ...connection(), ...key()]);
    expect(text).toMatch(/^error: .*absent\.jsonc/m);
    expect(code).toBeGreaterThan(0);
  });
});
