import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { createKeystore } from "@gpuchain/sdk/crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startNetwork, type TestNetwork, testAccount } from "./testing/network.ts";

const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

describe("the verifier as a process", () => {
  let network: TestNetwork;
  let folder: string;
  const children: ChildProcess[] = [];
  const file = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o600);
  };

  beforeAll(async () => {
    network = await startNetwork({ blockTime: 1 });
    folder = mkdtempSync(join(tmpdir(), "gpuchain-process-"));
    file("deployment.json", JSON.stringify({ ...network.deployment, startBlock: 0 }));
    file("password", "secret\n");
    const privateKey = Buffer.from(testAccount(1).getHdKey().privateKey ?? []).toString("hex");
    await createKeystore(join(folder, "key.json"), "secret", { privateKey: `0x${privateKey}`, strength: "light" });
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });
  afterAll(async () => {
    await network?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts the daemon as a person would, and collects what it prints. */
  function start() {
    const at = (name: string) => join(folder, name);
    const args = [
      "start",
      "--rpc",
      network.rpc,
      "--deployment",
      at("deployment.json"),
      "--data",
      at("data"),
      "--listen",
      "127.0.0.1:0",
    ];
    const key = ["--keystore", at("key.json"), "--password-file", at("password"), "--register", "--log", "json"];
    const main = join(import.meta.dirname, "main.ts");
    const child = spawn(process.execPath, ["--import", tsx, "--conditions=source", main, ...args, ...key], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    let output = "";
    child.stderr.on("data", (text) => {
      output += text;
    });
    const ready = new Promise<{ endpoint: string }>((resolve) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line.includes('"verifier.ready"')) resolve(JSON.parse(line));
      });
    });
    const ended = once(child, "close").then(([code]) => ({ code, output }));
    return { child, ready, ended };
  }

  it("registers once, survives kill -9, refuses to be started twice on one folder, and stops when asked", async () => {
    const first = start();
    await first.ready;
    const twin = await start().ended;
    expect(twin.output).toMatch(/in use by another process/);
    expect(twin.code).toBe(1);
    first.child.kill("SIGKILL");
    await first.ended;
    const second = start();
    const { endpoint } = await second.ready;
    const registered = await network.client.read.getVerifier({ account: testAccount(1).address });
    expect(registered).toMatchObject({ status: "Active", endpoint });
    expect(network.events.filter(({ eventName }) => eventName === "VerifierRegistered")).toHaveLength(1);
    second.child.kill("SIGTERM");
    expect((await second.ended).code).toBe(0);
    await expect(fetch(`${endpoint}/healthz`)).rejects.toThrow();
  }, 180_000);
});
