import { join, resolve } from "node:path";
import { loadDeployment } from "@gpuchain/sdk/chain";
import { GpuchainError } from "@gpuchain/sdk/daemon";
import { root } from "./paths.mjs";

/** A start that cannot succeed: says what is wrong, what to do, and with which exit code the process ends. */
export class StartError extends Error {
  constructor(message, hint, exitCode = 1) {
    super(message);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

const LOCAL_CHAIN = 31337;

const table = [
  ["PONDER_RPC_URL", "RPC of the chain, http(s):// or ws(s)://", "required"],
  ["PONDER_WS_URL", "WebSocket of the same chain; found at the RPC's own address where it answers there", "found"],
  ["DEPLOYMENT_FILE", "deployment JSON: chain id, contract addresses, start block", "required"],
  ["DATABASE_URL", "PostgreSQL; PGlite in PGLITE_DIRECTORY when unset", "unset"],
  ["PGLITE_DIRECTORY", "where PGlite keeps its files, one folder per deployment", "indexer/.ponder/pglite"],
  ["FINALITY_BLOCKS", "depth at which the self-audit takes a block for final", "30; 4 on a local chain"],
  ["HOST", "address to listen on", "127.0.0.1"],
  ["PORT", "port to listen on, 0 for any free one", "42069"],
  ["AUDIT", "continuous self-audit: on or off", "on"],
  ["LOG_LEVEL", "error, warn, info, debug", "info"],
  ["LOG_FORMAT", "json or pretty", "pretty"],
];

/** The settings as text for --help. */
export function describeSettings() {
  const rows = table.map(([name, text, fallback]) => `  ${name.padEnd(18)}${text} [${fallback}]`);
  return ["gpuchain-indexer: the ledger of a GPUChain deployment", "", "Environment:", ...rows].join("\n");
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @throws {StartError} with exit code 2 when a setting is missing or wrong
 */
export function readSettings(env) {
  const required = (name) => {
    if (!env[name]) throw new StartError(`${name} is not set.`, "Run with --help for the list of settings.", 2);
    return env[name];
  };
  const rpcUrl = required("PONDER_RPC_URL");
  if (!/^(https?|wss?):\/\//.test(rpcUrl)) {
    throw new StartError(`PONDER_RPC_URL is no RPC address: ${rpcUrl}`, "Use http(s):// or ws(s)://.", 2);
  }
  const port = Number(env.PORT ?? 42069);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new StartError(`PORT is no port: ${env.PORT}`, "Use a number from 0 to 65535.", 2);
  }
  const deployment = readDeployment(required("DEPLOYMENT_FILE"));
  return {
    rpcUrl,
    wsUrl: env.PONDER_WS_URL || undefined,
    deployment,
    databaseUrl: env.DATABASE_URL || undefined,
    pgliteDirectory: resolve(env.PGLITE_DIRECTORY || join(root, ".ponder", "pglite")),
    finality: readFinality(env.FINALITY_BLOCKS, deployment.chainId),
    audit: (env.AUDIT || "on") !== "off",
    host: env.HOST || "127.0.0.1",
    port,
    logLevel: env.LOG_LEVEL || "info",
    logFormat: env.LOG_FORMAT || "pretty",
  };
}

/** A reorg below this depth is noticed and the audit starts over, so it may be small where blocks are rarely undone. */
function readFinality(text, chainId) {
  const finality = Number(text ?? (chainId === LOCAL_CHAIN ? 4 : 30));
  if (Number.isInteger(finality) && finality >= 0) return finality;
  throw new StartError(`FINALITY_BLOCKS is no number of blocks: ${text}`, "Use a whole number.", 2);
}

/** @param {string} path */
function readDeployment(path) {
  try {
    const { startBlock, ...deployment } = loadDeployment(path);
    return { ...deployment, startBlock: Number(startBlock) };
  } catch (error) {
    if (!(error instanceof GpuchainError)) throw error;
    throw new StartError(error.message, error.hint, 2);
  }
}
