// `npm run test:docs`: runs every command and snippet of the documentation, in order, on a local network.
import { appendFileSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createShutdown, exitWith, GpuchainError } from "@gpuchain/sdk/daemon";
import { Command } from "commander";
import { startNetwork } from "../lib/network.ts";
import { root } from "../lib/root.ts";
import { startLedger } from "../lib/site.ts";
import type { Block } from "./blocks.ts";
import { allPages, blocksOf, STORY } from "./pages.ts";
import { openShell } from "./shell.ts";
import { writeSnippets } from "./snippets.ts";

const BLOCK_TIMEOUT_MS = 240_000;
/** Not the folder that the test of the documentation writes anew at any time. */
const SNIPPETS = path.join(root, "script/dist/docs/running");

const command = new Command("test:docs")
  .description("Runs every command and snippet of the documentation, in order, on a local network.")
  .argument("[pages...]", "only these, e.g. client money; the client's page always comes first, the others build on it")
  .option("--transcript <file>", "also write what was run and what it said")
  .option("--quiet", "say only which block runs")
  .option("--alone", "without the client's page before the named ones")
  .addHelpText("after", "\nExamples:\n  npm run test:docs\n  npm run test:docs -- client --transcript run.txt\n");

async function main(): Promise<void> {
  const shutdown = createShutdown();
  try {
    const { transcript, quiet, alone } = command
      .parse()
      .opts<{ transcript?: string; quiet?: boolean; alone?: boolean }>();
    const wanted = command.args.map((name) => `docs/${name}.md`);
    const pages = allPages().filter((page) => blocksOf(page).some(({ run }) => run));
    const strange = [
      ...wanted.filter((page) => !pages.includes(page)),
      ...pages.filter((page) => !STORY.includes(page)),
    ];
    if (strange.length > 0) {
      throw new GpuchainError("USAGE", `no place in the order of pages: ${strange.join(", ")}`, {
        hint: "STORY in script/docs/pages.ts lists the pages that are run",
      });
    }
    writeSnippets(SNIPPETS);
    const network = await startNetwork({ blockTime: 0.25, verifiers: 3, signal: shutdown.signal });
    shutdown.onClose("network", () => network.close());
    const cheap = await network.addProvider({ name: "A", price: "0.001", threads: 1 });
    await network.addProvider({ name: "B", price: "0.003", threads: 1 });
    const ledger = await startLedger(network, 0);
    const cwd = makeFolder(network.group.directory, network.deploymentFile);
    const env = {
      ...{ PATH: process.env.PATH, HOME: cwd, LANG: "C.UTF-8", NO_COLOR: "1", TERM: "dumb" },
      ...{ GPUCHAIN_RPC: network.chain.wsUrl, GPUCHAIN_HTTP: network.chain.rpcUrl, GPUCHAIN_LEDGER: ledger },
      ...{ GPUCHAIN_DEPLOYMENT: path.join(cwd, "deployments/31337.json"), PROVIDER_PID: String(cheap.process.pid) },
      // The local chain's client, public and funded: pages that say so set it themselves.
      GPUCHAIN_PRIVATE_KEY: "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
    };
    if (transcript !== undefined) writeFileSync(transcript, "");
    const say = (text: string) => {
      if (!quiet) process.stdout.write(text);
      if (transcript !== undefined) appendFileSync(transcript, text);
    };
    let blocks = 0;
    const started = Date.now();
    const first = alone ? undefined : STORY[0];
    for (const page of STORY.filter((one) => wanted.length === 0 || wanted.includes(one) || one === first)) {
      const shell = openShell({ cwd, env, onOutput: say, timeoutMs: BLOCK_TIMEOUT_MS });
      shutdown.onClose(page, () => shell.close());
      say(`\n======== ${page}\n`);
      for (const block of blocksOf(page).filter(({ run }) => run)) {
        shutdown.signal.throwIfAborted();
        say(`\n${block.code.replaceAll(/^/gm, block.language === "sh" ? "$ " : "> ")}\n`);
        if (quiet) console.log(`${block.page}:${block.line}`);
        await shell.run(block.language === "sh" ? block : asCommand(block));
        blocks += 1;
      }
      await shell.close();
    }
    console.log(`\n${blocks} blocks of the documentation ran in ${((Date.now() - started) / 1000).toFixed(0)} s`);
  } catch (error) {
    exitWith(shutdown.signal.aborted ? shutdown.signal.reason : error);
  } finally {
    await shutdown.close();
  }
}

/** A snippet runs as the file that was written for it. */
function asCommand(block: Block): Block {
  const file = path.join(SNIPPETS, `${block.page.replaceAll("/", "-")}-${block.line}.ts`);
  const loader = path.join(root, "node_modules/tsx/dist/loader.mjs");
  return { ...block, code: `node --import '${loader}' '${file}'` };
}

/** A folder that looks like a clone to the commands, with the deployment file where `npm run devnet` would put it. */
function makeFolder(directory: string, deploymentFile: string): string {
  const cwd = path.join(directory, "reader");
  mkdirSync(path.join(cwd, "deployments"), { recursive: true });
  for (const name of ["bin", "docs", "script", "package.json"])
    symlinkSync(path.join(root, name), path.join(cwd, name));
  copyFileSync(deploymentFile, path.join(cwd, "deployments/31337.json"));
  return cwd;
}

await main();
