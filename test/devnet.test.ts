// `npm run devnet` as a newcomer meets it: everything it prints is there, a killed party leaves the rest, Ctrl-C leaves nothing.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, test } from "vitest";
import { root } from "../script/lib/root.ts";

const folder = mkdtempSync(path.join(tmpdir(), "gpuchain-devnet-test-"));
let running: ChildProcess | undefined;
afterAll(() => {
  running?.kill("SIGINT");
  rmSync(folder, { recursive: true, force: true });
});

const marker = `GPUCHAIN_TEST_MARKER=devnet-${process.pid}`;

/** Ids of the processes that have the marker in their environment. */
function marked(): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").includes(marker);
    } catch {
      return false; // Ended meanwhile.
    }
  });
}

describe.skipIf(!existsSync("/proc/self/environ"))("npm run devnet", () => {
  test("starts, serves, says what to do next, and stops", async () => {
    const [name = "", value = ""] = marker.split("=");
    const deployment = path.join(folder, "deployment.json");
    const ports = ["--rpc-port", "0", "--explorer-port", "0", "--ledger-port", "0"];
    const devnet = spawn(
      process.execPath,
      [path.join(root, "script/dist/devnet.js"), ...ports, "--block-time", "0.5", "--deployment-file", deployment],
      { cwd: root, env: { ...process.env, [name]: value }, stdio: ["ignore", "pipe", "pipe"] },
    );
    running = devnet;
    const exited = new Promise<number | null>((resolve) => devnet.once("exit", resolve));
    const lines: string[] = [];
    const waiting: (() => void)[] = [];
    const take = (line: string) => {
      lines.push(line);
      for (const look of waiting) look();
    };
    createInterface({ input: devnet.stdout }).on("line", take);
    createInterface({ input: devnet.stderr }).on("line", take);
    const line = (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          const found = lines.find((text) => pattern.test(text));
          if (found !== undefined) resolve(found);
        };
        waiting.push(look);
        look();
        void exited.then((code) => reject(new Error(`it ended with ${code} before ${pattern}:\n${lines.join("\n")}`)));
      });
    const word = (label: string) => {
      const found = lines.find((text) => text.startsWith(`  ${label} `));
      return found?.slice(label.length + 3).trim() ?? "";
    };
    try {
      await line(/Ctrl-C stops everything/);

      const site = (await (await fetch(new URL("config.json", word("explorer")))).json()) as {
        localAccounts: { name: string; privateKey: `0x${string}` }[];
        gateways: string[];
        ledger: string;
      };
      expect(site).toMatchObject({
        mode: "devnet",
        chainId: 31337,
        deployment: JSON.parse(readFileSync(deployment, "utf8")),
      });
      expect(site.localAccounts.map((account: { name: string }) => account.name)).toEqual([
        "Client",
        "Guest",
        "Arbiter",
      ]);
      expect(site.gateways).toHaveLength(3);
      expect((await fetch(word("explorer"))).status).toBe(200);

      const query = "{ status { state } providers { items { name } } verifiers { items { address } } }";
      const ask = async () => {
        const request = {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ query }),
        };
        return ((await (await fetch(word("ledger"), request)).json()) as { data: { status: { state: string } } }).data;
      };
      expect(`${site.ledger}/graphql`).toBe(word("ledger"));
      const live = await fetch(`${site.ledger}/live`);
      const blocks = live.body?.getReader();
      // Every block is a reason to look again.
      while ((await ask()).status.state !== "live") await blocks?.read();
      await blocks?.cancel();
      const data = await ask();
      expect(data).toMatchObject({ providers: { items: expect.arrayContaining([{ name: "A" }, { name: "B" }]) } });
      expect(data).toMatchObject({ verifiers: { items: [{}, {}, {}] } });

      // The key and the addresses in the printed command are good ones.
      const post = (await line(/ post job\.jsonc$/)).trim();
      const balance = spawnSync(post.replace(/ post job\.jsonc$/, " --json balance"), {
        shell: true,
        cwd: root,
        encoding: "utf8",
      });
      expect(balance.status, balance.stderr).toBe(0);
      expect(JSON.stringify(JSON.parse(balance.stdout))).toMatch(/10000/);

      const provider = await line(/^ {2}provider A .*process \d+/);
      process.kill(Number(/process (\d+)/.exec(provider)?.[1]), "SIGKILL");
      await line(/^A ended \(SIGKILL\); the rest goes on$/);
      expect((await ask()).status.state).toBe("live");
    } finally {
      devnet.kill("SIGINT");
    }
    expect(await exited, lines.join("\n")).toBe(0);
    while (marked().length > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(existsSync(deployment)).toBe(false);
    expect(existsSync(word("logs and keys"))).toBe(false);
  });
});
