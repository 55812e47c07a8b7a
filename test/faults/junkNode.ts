// A provider like any other, but for its compute: run in the place of `gpuchain-node start`, with the same flags.
import { configTable, runNode } from "@gpuchain/node";
import { startCompute } from "@gpuchain/sdk/compute";
import { createLogger, createShutdown, exitWith, loadConfig } from "@gpuchain/sdk/daemon";
import { junkCompute } from "./junkCompute.ts";

try {
  const [, ...argv] = process.argv.slice(2);
  const config = loadConfig(configTable, { argv, env: process.env });
  const log = createLogger({ name: "node", level: config.logLevel, json: config.log === "json" });
  const shutdown = createShutdown({ log });
  const node = await runNode(config, { log, signal: shutdown.signal, startCompute: junkCompute(startCompute) });
  await node.done;
  await shutdown.close();
} catch (error) {
  exitWith(error);
}
