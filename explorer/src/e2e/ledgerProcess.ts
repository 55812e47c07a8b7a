// The real ledger as a process of its own, on a database that goes away with it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const start = fileURLToPath(new URL("../../../indexer/bin/start.mjs", import.meta.url));

export interface LedgerProcess {
  readonly url: string;
  /** ends it at once, as a crash would */
  kill(): Promise<void>;
}

/** Starts the ledger on a chain; settles when it has caught up. */
export async function startLedger(rpc: string, deployment: object): Promise<LedgerProcess> {
  const folder = mkdtempSync(path.join(tmpdir(), "explorer-ledger-"));
  const deploymentFile = path.join(folder, "deployment.json");
  writeFileSync(deploymentFile, JSON.stringify(deployment));
  const child = spawn(process.execPath, [start], {
    cwd: path.dirname(path.dirname(start)),
    env: {
      ...process.env,
      NODE_ENV: "production",
      PONDER_RPC_URL: rpc,
      DEPLOYMENT_FILE: deploymentFile,
      PGLITE_DIRECTORY: path.join(folder, "pglite"),
      PORT: "0",
      LOG_FORMAT: "json",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const kill = async () => {
    child.kill("SIGKILL");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: await ready(child), kill };
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the ledger ended with ${code}`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      if (line.includes('"indexer.ready"')) resolve((JSON.parse(line) as { url: string }).url.replace(/\/$/, ""));
    });
  });
}
