// `npm run test:newcomer`: what a stranger does who has nothing but the documentation: clones, writes a file of labelled texts, trains a
// model on it, kills the provider in the middle, and checks what comes out.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createShutdown, exitWith } from "@gpuchain/sdk/daemon";
import { Command } from "commander";
import { freePort, PortTakenError } from "../lib/processes.ts";
import { root } from "../lib/root.ts";
import { openShell } from "./shell.ts";
import { ticketsCsv } from "./tickets.ts";

/** Installing and building is one command. */
const TIMEOUT_MS = 480_000;
const CLIENT_KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
const STRANGER_KEY = "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a";

const command = new Command("test:newcomer")
  .description(
    "Clones the last commit into an empty folder and goes through the client's quick start with data of its own.",
  )
  .option("--transcript <file>", "also write what was run and what it said")
  .option("--keep", "leave the folder as it is in the end")
  .addHelpText("after", "\nExamples:\n  npm run test:newcomer -- --transcript newcomer.txt\n");

async function main(): Promise<void> {
  const shutdown = createShutdown();
  const home = mkdtempSync(path.join(tmpdir(), "newcomer-"));
  try {
    const { transcript, keep } = command.parse().opts<{ transcript?: string; keep?: boolean }>();
    if (!keep) shutdown.onClose("folder", () => rmSync(home, { recursive: true, force: true }));
    if (transcript !== undefined) writeFileSync(transcript, "");
    const say = (text: string) => {
      process.stdout.write(text);
      if (transcript !== undefined) appendFileSync(transcript, text);
    };
    const ports = await choosePorts();
    const env = {
      ...{ PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", NO_COLOR: "1", TERM: "dumb" },
      // The packages' cache is the machine's: what is tried out here is not the registry.
      npm_config_cache: process.env.npm_config_cache ?? path.join(process.env.HOME ?? home, ".npm"),
      ...ports.env,
    };
    const started = Date.now();
    const shell = openShell({ cwd: home, env, onOutput: say, timeoutMs: TIMEOUT_MS });
    shutdown.onClose("shell", () => shell.close());
    let line = 0;
    const run = async (code: string, expect?: string): Promise<string> => {
      shutdown.signal.throwIfAborted();
      say(`\n${clock(started)} ${code.replaceAll(/^/gm, "$ ")}\n`);
      line += 1;
      return shell.run({ page: "newcomer", line, language: "sh", code, run: true, ...(expect && { expect }) });
    };

    await run(`git clone --quiet ${quote(root)} gpuchain && cd gpuchain`);
    const clone = path.join(home, "gpuchain");
    writeFileSync(path.join(clone, "tickets.csv"), ticketsCsv());
    await run("head -4 tickets.csv && wc -l < tickets.csv", "subject");

    say(`\n${clock(started)} $ npm run devnet${ports.flags}      (in a terminal of its own)\n`);
    const devnet = startDevnet(clone, env, ports.flags, say);
    shutdown.onClose("devnet", () => devnet.stop());
    const told = await devnet.ready;
    const providers = [...told.matchAll(/provider (\w+) +(0x\w+), process (\d+)/g)].map(([, name, account, pid]) => ({
      ...{ name: name ?? "", account: account ?? "", pid: pid ?? "" },
    }));
    if (providers.length !== 2) throw new Error(`npm run devnet names ${providers.length} providers, not two`);

    await run(`export PATH="$PWD/bin:$PATH"\nexport GPUCHAIN_PRIVATE_KEY=${CLIENT_KEY}`);
    await run("gpuchain init tickets.jsonc --data tickets.csv --text subject --label team --steps 600");
    await run("gpuchain check tickets.jsonc", "3 classes: billing, delivery, login");
    await run("gpuchain estimate tickets.jsonc", "3 verifiers would judge it");
    const balance = await run("gpuchain balance");
    await run("gpuchain post tickets.jsonc", "job 1 is posted; 3 verifiers hold its data");
    const begun = await run("gpuchain watch 1 --until checkpoint", "checkpoint 1 is accepted");
    const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
    const victim = providers.find(({ account }) => begun.includes(`${short(account)} takes the lease`));
    if (victim === undefined) throw new Error("gpuchain watch names no provider of this network as the leaseholder");
    await run(`kill -9 ${victim.pid}`);

    const watched = await run("gpuchain watch 1", "settled: providers");
    const other = providers.find(({ name }) => name !== victim.name)?.account ?? "";
    needs(watched, `the lease of ${short(victim.account)} ended: Evicted`);
    needs(watched, `${short(other)} takes the lease`);
    needs(watched, "completed, and the target is met");
    await run("gpuchain list", "Settled");
    const shown = await run("gpuchain show 1", "back to the client");
    for (const { account } of providers) needs(shown, account.slice(0, 6));

    await run("gpuchain fetch 1 --out model", "model.onnx");
    const predicted = await run(
      'gpuchain predict model "I was charged twice for my invoice" "my parcel never arrived" "I forgot my password"',
    );
    const labels = [...predicted.matchAll(/^(billing|delivery|login) /gm)].map(([, label]) => label);
    if (labels.join() !== "billing,delivery,login") throw new Error(`the model says ${labels.join()}`);
    await run("gpuchain verify 1", "run again");
    await run("gpuchain verify 1 --checkpoint 1", "run again");
    // Somebody else may check the work too, only not on the client's own data.
    await run(`GPUCHAIN_PRIVATE_KEY=${STRANGER_KEY} gpuchain verify 1`, "not evaluated");
    await run("gpuchain withdraw");
    const after = await run("gpuchain balance");
    const wallet = (text: string) => Number(/(\d+\.\d+)/.exec(text)?.[1]);
    if (!(wallet(after) < wallet(balance) && wallet(after) > wallet(balance) - 3))
      throw new Error(`the wallet held ${wallet(balance)} USDC before and ${wallet(after)} after`);

    // One small paid run of every other template, with the provider that is left.
    await writeTemplates(clone);
    for (const [index, { template, flags, input, says }] of TEMPLATES.entries()) {
      const job = index + 2;
      await run(`gpuchain init ${template}.jsonc ${flags} --steps 20 --interval 20`);
      await run(`gpuchain post ${template}.jsonc`, `job ${job} is posted; 3 verifiers hold its data`);
      needs(await run(`gpuchain watch ${job} --no-steps`, "settled: providers"), "checkpoint 1 is paid");
      await run(`gpuchain fetch ${job} --out ${template}`, "model.onnx");
      await run(`gpuchain predict ${template} ${input}`, says);
      await run(`gpuchain verify ${job}`, "run again");
    }

    say(`\n${clock(started)} Ctrl-C in the terminal of the network\n`);
    await devnet.stop();
    if (existsSync(path.join(clone, "deployments/31337.json"))) throw new Error("the deployment file was left behind");
    const changed = await run("git status --short", "tickets");
    if (/^ ?[MD]/m.test(changed)) throw new Error(`the commands changed files of the clone:\n${changed}`);
    say(`\nA newcomer's run took ${((Date.now() - started) / 1000).toFixed(0)} s, from the clone to the end.\n`);
  } catch (error) {
    exitWith(shutdown.signal.aborted ? shutdown.signal.reason : error);
  } finally {
    await shutdown.close();
  }
}

const TEMPLATES = [
  { template: "mlp", flags: "--template mlp --data table.csv", input: "3,4", says: "%  3,4" },
  { template: "language-model", flags: "--data prose.txt", input: '"On day"', says: "On day" },
  {
    template: "text-classification-lora",
    flags: "--data tickets.csv --text subject --label team --base base",
    input: '"my parcel"',
    says: "%  my parcel",
  },
];

/** The data of the other templates, and a base model with weights drawn at random, as small as one can be. */
async function writeTemplates(folder: string): Promise<void> {
  const range = Array.from({ length: 300 }, (_, i) => i);
  const rows = range.map((i) => `${i % 7},${(i * i) % 5},${i % 2 ? "rose" : "tulip"}`);
  writeFileSync(path.join(folder, "table.csv"), ["length,width,class", ...rows].join("\n"));
  const prose = range.map((i) => `On day ${i} the ship sailed on, and the wind was good.\n`);
  writeFileSync(path.join(folder, "prose.txt"), prose.join(""));
  const built = pathToFileURL(path.join(root, "sdk/dist/training/testing/bertFolder.js")).href;
  const { bertFolder } = (await import(built)) as {
    bertFolder(
      family: string,
      words: readonly string[],
    ): Record<"config" | "tokenizer", string> & { weights: Uint8Array };
  };
  const { config, weights, tokenizer } = bertFolder("distilbert", ["parcel", "invoice", "password", "my"]);
  mkdirSync(path.join(folder, "base"));
  writeFileSync(path.join(folder, "base/config.json"), config);
  writeFileSync(path.join(folder, "base/model.safetensors"), weights);
  writeFileSync(path.join(folder, "base/tokenizer.json"), tokenizer);
}

/** The ports of the documentation, or others where those belong to another program; and what the commands must then be told. */
async function choosePorts(): Promise<{ flags: string; env: Record<string, string> }> {
  const usual = { rpc: 8545, ledger: 42_069, explorer: 4173 };
  try {
    for (const port of Object.values(usual)) await freePort(port);
    return { flags: "", env: {} };
  } catch (error) {
    if (!(error instanceof PortTakenError)) throw error;
  }
  const [rpc, ledger, explorer] = [await freePort(), await freePort(), await freePort()];
  return {
    flags: ` -- --rpc-port ${rpc} --ledger-port ${ledger} --explorer-port ${explorer}`,
    env: { GPUCHAIN_RPC: `ws://127.0.0.1:${rpc}`, GPUCHAIN_LEDGER: `http://127.0.0.1:${ledger}` },
  };
}

/** `npm run devnet` as in a terminal: its own process group, which gets Ctrl-C as a whole. */
function startDevnet(cwd: string, env: NodeJS.ProcessEnv, flags: string, say: (text: string) => void) {
  const child: ChildProcess = spawn("npm", ["run", "devnet", ...flags.trim().split(" ").filter(Boolean)], {
    ...{ cwd, env, detached: true },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  let said = "";
  const ready = new Promise<string>((resolve, reject) => {
    const take = (piece: Buffer) => {
      said += piece.toString();
      say(piece.toString());
      if (said.includes("Ctrl-C stops everything")) resolve(said);
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    exited.then(() => reject(new Error(`npm run devnet ended before it was up:\n${said}`)), reject);
  });
  return {
    ready,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      process.kill(-child.pid, "SIGINT");
      await exited;
    },
  };
}

const clock = (started: number) => `[${((Date.now() - started) / 1000).toFixed(0).padStart(4)} s]`;

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function needs(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`the output lacks "${part}":\n${text}`);
}

await main();
