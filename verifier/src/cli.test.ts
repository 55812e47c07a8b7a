import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKeystore } from "@gpuchain/sdk/crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "./cli.ts";
import { startNetwork, type TestNetwork, testAccount } from "./testing/network.ts";

/** The same code as the process runs, with its output and exit code caught. */
async function cli(...args: string[]): Promise<{ code: unknown; output: string }> {
  let output = "";
  const stream = { write: (text: string) => (output += text) };
  const target = {
    stdout: stream,
    stderr: stream as unknown as NodeJS.Process["stderr"],
    env: {},
    exitCode: undefined as NodeJS.Process["exitCode"],
  };
  await runCli(args, target);
  return { code: target.exitCode ?? 0, output };
}

describe("gpuchain-verifier", () => {
  let network: TestNetwork;
  let folder: string;
  const at = (name: string) => join(folder, name);
  const file = (name: string, text: string): void => {
    writeFileSync(at(name), text);
    chmodSync(at(name), 0o600);
  };

  beforeAll(async () => {
    network = await startNetwork({ blockTime: 1 });
    folder = mkdtempSync(join(tmpdir(), "gpuchain-cli-"));
    const deployment = { ...network.deployment, startBlock: 0 };
    file("deployment.json", JSON.stringify(deployment));
    file("other.json", JSON.stringify({ ...deployment, chainId: 1 }));
    file("old.json", JSON.stringify({ ...deployment, protocolVersion: 9 }));
    file("password", "secret\n");
    file("wrong", "guess\n");
    const privateKey = Buffer.from(testAccount(1).getHdKey().privateKey ?? []).toString("hex");
    await createKeystore(at("key.json"), "secret", { privateKey: `0x${privateKey}`, strength: "light" });
  });
  afterAll(async () => {
    await network?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("says what is wrong and what to do, with the right exit code, and leaves nothing behind", async () => {
    const rpc = ["--rpc", network.rpc];
    const deployment = ["--deployment", at("deployment.json")];
    const key = ["--keystore", at("key.json"), "--password-file", at("password"), "--data", at("data")];
    const cases: [string[], number, RegExp][] = [
      [["dance"], 2, /error: unknown command 'dance'/],
      [["start", "--colour", "red"], 2, /error: unknown option '--colour'/],
      [["start"], 2, /error: deployment is not set.*\n {2}hint: /],
      [["start", "--deployment", at("none.json")], 1, /error: cannot read the deployment file/],
      [["start", ...rpc, ...deployment, ...key, "--keystore", at("none.json")], 1, /error: there is no key file/],
      [
        ["start", ...rpc, ...deployment, ...key, "--password-file", at("wrong")],
        1,
        /error: the password does not open/,
      ],
      [["start", ...rpc, ...key, "--deployment", at("other.json")], 1, /error: .*chain 31337.*chain 1/],
      [["start", ...rpc, ...key, "--deployment", at("old.json")], 1, /error: .*version/],
      [["start", ...deployment, ...key, "--rpc", "http://127.0.0.1:9"], 1, /error: .*\n {2}hint: /],
      [["start", ...rpc, ...deployment, ...key, "--listen", "here"], 2, /expected host:port/],
      [
        ["register", ...rpc, ...deployment, ...key],
        2,
        /nodes have to know where the gateway is\n {2}hint: give --endpoint/,
      ],
      [["judge", "x", ...rpc, ...deployment, ...key], 2, /"x" is no checkpoint id/],
      [["judge", "7", ...rpc, ...deployment, ...key], 1, /there is no checkpoint 7/],
      [["bond", "much", ...rpc, ...deployment, ...key], 2, /expected an amount of USDC/],
      [["withdraw", ...rpc, ...deployment, ...key], 0, /nothing to withdraw/],
    ];
    for (const [args, code, words] of cases) {
      const result = await cli(...args);
      expect(result.output, args.join(" ")).toMatch(words);
      expect(result.code, args.join(" ")).toBe(code);
    }
    expect(existsSync(at("data"))).toBe(false);
  }, 120_000);

  it("shows what a verifier is, holds and earns", async () => {
    const { output, code } = await cli(
      "status",
      "--rpc",
      network.rpc,
      "--deployment",
      at("deployment.json"),
      "--keystore",
      at("key.json"),
      "--password-file",
      at("password"),
    );
    expect(code).toBe(0);
    expect(output).toMatch(/status +not registered/);
    expect(output).toMatch(/claimable +0\.000000 USDC/);
  });

  it("registers and bonds without running, once", async () => {
    const account = testAccount(1).address;
    const endpoint = "https://verifier.example.org";
    const flags = ["--rpc", network.rpc, "--deployment", at("deployment.json"), "--keystore", at("key.json")];
    const run = () =>
      cli("register", ...flags, "--password-file", at("password"), "--endpoint", endpoint, "--fee", "0.002");
    expect(await run()).toMatchObject({ code: 0, output: expect.stringContaining(`registered with ${endpoint}`) });
    const sent = await network.test.getTransactionCount({ address: account });
    expect(await run()).toMatchObject({ code: 0 });
    expect(await network.test.getTransactionCount({ address: account })).toBe(sent);
    expect(await network.client.read.getVerifier({ account })).toMatchObject({
      status: "Active",
      endpoint,
      minFee: 2_000n,
    });
    expect((await network.client.read.getAccount({ account })).bond).toBe(100_000_000n);
  });
});
