import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCompute } from "@gpuchain/sdk/compute";
import { createLogger, loadConfig } from "@gpuchain/sdk/daemon";
import type { LocalAccount } from "viem";
import { configTable, type VerifierConfig } from "../config.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { runVerifier, type VerifierDependencies } from "../verifier.ts";
import type { TestNetwork } from "./network.ts";

export interface LogEvent {
  readonly event?: string;
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface TestVerifier {
  readonly account: LocalAccount;
  readonly gateway: Gateway;
  readonly data: string;
  /** log lines so far */
  readonly lines: readonly LogEvent[];
  until(event: string, fits?: (line: LogEvent) => boolean): Promise<LogEvent>;
  /** Ends the daemon; its data stays when it is to be started again. */
  stop(options?: { keepData?: boolean }): Promise<void>;
}

/** Runs a verifier in this process, on a free port, with its own data folder and a real judging child. */
export async function startVerifier(
  network: TestNetwork,
  account: LocalAccount,
  options: { config?: Partial<VerifierConfig>; deps?: Partial<VerifierDependencies>; data?: string } = {},
): Promise<TestVerifier> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), "gpuchain-verifier-"));
  const abort = new AbortController();
  const lines: LogEvent[] = [];
  const listeners = new Set<() => void>();
  const log = createLogger({
    name: "verifier",
    level: "debug",
    json: true,
    destination: {
      write: (line) => {
        lines.push(JSON.parse(line));
        if (process.env.TEST_LOG) process.stderr.write(`${account.address.slice(0, 6)} ${line}`);
        for (const listener of [...listeners]) listener();
      },
    },
  });
  const config = {
    ...loadConfig(configTable, {
      flags: { deployment: "unused", data, rpc: network.rpc, register: "true", listen: "127.0.0.1:0" },
    }),
    ...options.config,
  };
  let running: Promise<void> = Promise.resolve();
  const gateway = await new Promise<Gateway>((resolve, reject) => {
    running = runVerifier(config, {
      account,
      deployment: network.deployment,
      startCompute,
      signal: abort.signal,
      log,
      onReady: resolve,
      ...options.deps,
    });
    running.catch(reject);
  });
  return {
    account,
    gateway,
    data,
    lines,
    until: (event, fits = () => true) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = lines.find((line) => line.event === event && fits(line));
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
    async stop({ keepData = false } = {}) {
      abort.abort(new Error("stopped by the test"));
      await running;
      if (!keepData) rmSync(data, { recursive: true, force: true });
    },
  };
}
