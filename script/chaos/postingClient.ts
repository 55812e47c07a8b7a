// The client of a story as its owner runs it: `gpuchain post`, then `gpuchain watch` to the end, each a process that may be killed and is
// then run again with the same words.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { formatUsdc } from "@gpuchain/sdk/daemon";
import { encodeJobSpec } from "@gpuchain/sdk/records";
import { bytesToHex } from "viem";
import { localAccounts } from "../lib/anvil.ts";
import type { RunTerms, Workload } from "../lib/clientParty.ts";
import type { LocalNetwork } from "../lib/network.ts";
import type { ManagedProcess } from "../lib/processes.ts";
import { root } from "../lib/root.ts";

export interface PostingClient {
  readonly dataDir: string;
  /** of the command that runs, or ran last */
  readonly process: ManagedProcess;
  /** Posts a job and watches it. @returns the job's id, once it was watched to its end */
  play(workload: Workload, terms: RunTerms): Promise<bigint>;
  /** Runs the command again that was killed; nothing where one runs, or all is done. */
  again(): void;
}

/** What a person does who is told that the upload is not complete: the same command again. This often. */
const MAX_TRIES = 20;

export function createPostingClient(network: LocalNetwork, rpc: string): PostingClient {
  const dataDir = path.join(network.group.directory, "client");
  mkdirSync(dataDir);
  const key = localAccounts.client.getHdKey().privateKey;
  if (key === null) throw new Error("the client's account has no key");
  const env = { GPUCHAIN_PRIVATE_KEY: bytesToHex(key), GPUCHAIN_PROFILE: path.join(dataDir, "no-profile.json") };
  let current: ManagedProcess | undefined;
  let argv: string[] | undefined;
  let stories = 0;
  let onEnd: (code: number | null, lines: readonly string[]) => void = () => undefined;

  const run = (): void => {
    if (argv === undefined) return;
    const common = ["--json", "--rpc", rpc, "--deployment", network.deploymentFile, "--data-dir", dataDir];
    const lines: string[] = [];
    const started = network.group.start({
      name: "client",
      file: process.execPath,
      args: [path.join(root, "sdk/dist/cli/main.js"), ...argv, ...common],
      env,
    });
    current = started;
    started.onLine((line) => lines.push(line));
    void started.exited.then(({ code, signal }) => {
      // Whoever kills it starts it again.
      if (signal !== "SIGKILL") onEnd(code, lines);
    });
  };

  return {
    dataDir,
    get process() {
      if (current === undefined) throw new Error("the client was not started");
      return current;
    },
    again() {
      if (current?.running() === false) run();
    },
    play({ spec, train, heldOut }, terms) {
      const folder = path.join(dataDir, `story-${stories++}`);
      mkdirSync(folder);
      writeFileSync(path.join(folder, "spec.json"), encodeJobSpec(spec));
      writeFileSync(path.join(folder, "train"), train);
      writeFileSync(path.join(folder, "heldOut"), heldOut);
      const { maxPricePerStep, verifierFee, budget, ...time } = terms;
      const money = Object.entries({ maxPricePerStep, verifierFee, budget }).flatMap(([name, amount]) =>
        amount === undefined ? [] : [[name, formatUsdc(amount)]],
      );
      const file = path.join(folder, "job.json");
      const blobs = ["train", "heldOut"];
      writeFileSync(file, JSON.stringify({ spec: "spec.json", blobs, money: Object.fromEntries(money), time }));
      argv = ["post", file];
      return new Promise((resolve, reject) => {
        let jobId: bigint | undefined;
        let tries = 0;
        onEnd = (code, lines) => {
          const last = lines.at(-1) ?? "";
          if (code === 0 && jobId === undefined) {
            jobId = BigInt((JSON.parse(last) as { jobId: string }).jobId);
            argv = ["watch", String(jobId)];
            run();
          } else if (code === 0 && jobId !== undefined) {
            argv = undefined;
            resolve(jobId);
          } else if (last.includes('"UPLOAD_INCOMPLETE"') && ++tries < MAX_TRIES) run();
          else reject(new Error(`the client's ${argv?.[0]} ended with code ${code}: ${last.slice(0, 500)}`));
        };
        run();
      });
    },
  };
}
