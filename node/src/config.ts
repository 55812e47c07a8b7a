import { homedir } from "node:os";
import { join } from "node:path";
import {
  type ConfigValues,
  defineConfig,
  observerOptions,
  parseAddressText,
  parseBoolean,
  parseChoice,
  parseInteger,
  parseListen,
  parseNumber,
  parseText,
  parseUrl,
  parseUsdc,
} from "@gpuchain/sdk/daemon";

import { parseHours } from "./limits/workingHours.ts";

/** Where to find the network and the key: what every command needs. */
export const connectionTable = defineConfig({
  rpc: {
    description: "address of an Ethereum node of the network, http(s):// or ws(s)://",
    flag: "--rpc",
    value: "<url>",
    env: "GPUCHAIN_RPC",
    default: "http://127.0.0.1:8545",
    parse: parseUrl(["http", "https", "ws", "wss"]),
    secret: "url",
  },
  deployment: {
    description: "deployment file of the network, as the deploy script wrote it",
    flag: "--deployment",
    value: "<file>",
    env: "GPUCHAIN_DEPLOYMENT",
    parse: parseText,
  },
  data: {
    description: "folder for journal, checkpoints and control socket",
    flag: "--data",
    value: "<dir>",
    env: "GPUCHAIN_NODE_DATA",
    default: join(homedir(), ".gpuchain", "node"),
    parse: parseText,
  },
  keystore: {
    description:
      "encrypted key file (Ethereum V3); made at the first start where there is none. Default: key.json in the data folder",
    flag: "--keystore",
    value: "<file>",
    env: "GPUCHAIN_NODE_KEYSTORE",
    optional: true,
    parse: parseText,
  },
  passwordFile: {
    description: "file whose first line is the key file's password; else GPUCHAIN_PASSWORD, else asked on the terminal",
    flag: "--password-file",
    value: "<file>",
    env: "GPUCHAIN_PASSWORD_FILE",
    optional: true,
    parse: parseText,
  },
  password: {
    description: "the key file's password",
    env: "GPUCHAIN_PASSWORD",
    optional: true,
    secret: true,
    parse: parseText,
  },
  log: {
    description: "text for people, json for programs (one event a line)",
    flag: "--log",
    value: "<text|json>",
    env: "GPUCHAIN_LOG",
    default: "text" as const,
    parse: parseChoice(["text", "json"]),
  },
  logLevel: {
    description: "least level that is written: debug, info, warn or error",
    flag: "--log-level",
    value: "<level>",
    env: "GPUCHAIN_LOG_LEVEL",
    default: "info" as const,
    parse: parseChoice(["debug", "info", "warn", "error"]),
  },
});

/** All settings of `gpuchain-node start`: one table for flags, environment, file, --help and README. */
export const configTable = defineConfig({
  ...connectionTable,
  name: {
    description: 'name shown to clients. Default: as registered; at the first start "provider"',
    flag: "--name",
    value: "<text>",
    env: "GPUCHAIN_NODE_NAME",
    optional: true,
    parse: parseText,
  },
  price: {
    description: "least pay in USDC for one training step. Default: as registered; at the first start 0.001",
    flag: "--price",
    value: "<usdc>",
    env: "GPUCHAIN_NODE_PRICE",
    optional: true,
    parse: parseUsdc,
  },
  payout: {
    description: "wallet that receives all pay. Default: the key's own address. Fixed at the first start",
    flag: "--payout",
    value: "<address>",
    env: "GPUCHAIN_NODE_PAYOUT",
    optional: true,
    parse: parseAddressText,
  },
  bond: {
    description: "bond in USDC put up at the first start; a lease reserves six verifier fees of it. Default: 5",
    flag: "--bond",
    value: "<usdc>",
    env: "GPUCHAIN_NODE_BOND",
    optional: true,
    parse: parseUsdc,
  },
  runtime: {
    description: "where steps run: native (CPU), webgpu, cuda or wasm; canonical jobs always run on wasm",
    flag: "--runtime",
    value: "<name>",
    env: "GPUCHAIN_NODE_RUNTIME",
    default: "native" as const,
    parse: parseChoice(["native", "webgpu", "cuda", "wasm"]),
  },
  threads: {
    description: "threads of one step",
    flag: "--threads",
    value: "<n>",
    env: "GPUCHAIN_NODE_THREADS",
    default: 2,
    parse: parseInteger({ min: 1, max: 256 }),
  },
  memoryMb: {
    description: "memory in MiB at which the training process is ended and started again; 0: no limit",
    flag: "--memory-mb",
    value: "<n>",
    env: "GPUCHAIN_NODE_MEMORY_MB",
    default: 0,
    parse: parseInteger({ min: 0, max: 1 << 24 }),
  },
  openTimeout: {
    description: "seconds that compiling a job and its first step may take before the training process is ended",
    flag: "--open-timeout",
    value: "<s>",
    env: "GPUCHAIN_NODE_OPEN_TIMEOUT",
    default: 600,
    parse: parseInteger({ min: 1, max: 86_400 }),
  },
  nice: {
    description: "niceness added to the training process, so that beats and transactions go first",
    flag: "--nice",
    value: "<n>",
    env: "GPUCHAIN_NODE_NICE",
    default: 2,
    parse: parseInteger({ min: 0, max: 19 }),
  },
  hours: {
    description: "hours of the day in which it works, local time: 22:00-07:00, several with commas. Default: always",
    flag: "--hours",
    value: "<spans>",
    env: "GPUCHAIN_NODE_HOURS",
    optional: true,
    parse: parseHours,
  },
  maxCelsius: {
    description: "temperature of the card in °C above which it hands its lease back and rests",
    flag: "--max-celsius",
    value: "<n>",
    env: "GPUCHAIN_NODE_MAX_CELSIUS",
    optional: true,
    parse: parseNumber({ min: 1, max: 200 }),
  },
  maxWatts: {
    description: "power of the card in watts above which it hands its lease back and rests",
    flag: "--max-watts",
    value: "<n>",
    env: "GPUCHAIN_NODE_MAX_WATTS",
    optional: true,
    parse: parseNumber({ min: 1, max: 10_000 }),
  },
  memoryShare: {
    description: "share of the card's memory that training may take, 0 to 1; a job that takes more is left to others",
    flag: "--memory-share",
    value: "<share>",
    env: "GPUCHAIN_NODE_MEMORY_SHARE",
    optional: true,
    parse: parseNumber({ min: 0.01, max: 1 }),
  },
  yieldGpu: {
    description: "rest while another program computes on the card",
    flag: "--yield-gpu",
    env: "GPUCHAIN_NODE_YIELD_GPU",
    default: false,
    parse: parseBoolean,
  },
  coinPrice: {
    description:
      "price in USDC of one native coin: shows earnings net of gas, and takes no lease whose gas costs more than it pays",
    flag: "--coin-price",
    value: "<usdc>",
    env: "GPUCHAIN_NODE_COIN_PRICE",
    optional: true,
    parse: parseUsdc,
  },
  metrics: {
    description: "where to serve Prometheus metrics (/metrics, /healthz): 127.0.0.1:9571. Default: nowhere",
    flag: "--metrics",
    value: "<host:port>",
    env: "GPUCHAIN_NODE_METRICS",
    optional: true,
    parse: parseListen,
  },
  ...observerOptions,
  drainSeconds: {
    description: "longest that stopping may take to train up to a payable checkpoint and commit it",
    flag: "--drain-seconds",
    value: "<n>",
    env: "GPUCHAIN_NODE_DRAIN_SECONDS",
    default: 60,
    parse: parseInteger({ min: 0, max: 86_400 }),
  },
});

export type NodeConfig = ConfigValues<typeof configTable>;
export type ConnectionConfig = ConfigValues<typeof connectionTable>;

/** The key file's path: as given, or in the data folder. */
export const keystorePath = (config: Pick<ConnectionConfig, "keystore" | "data">): string =>
  config.keystore ?? join(config.data, "key.json");
