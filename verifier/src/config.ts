import { homedir } from "node:os";
import { join } from "node:path";
import {
  type ConfigValues,
  defineConfig,
  observerOptions,
  parseBoolean,
  parseChoice,
  parseInteger,
  parseListen,
  parseText,
  parseUrl,
  parseUsdc,
} from "@gpuchain/sdk/daemon";

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
    description: "folder for journal, blobs and key",
    flag: "--data",
    value: "<dir>",
    env: "GPUCHAIN_VERIFIER_DATA",
    default: join(homedir(), ".gpuchain", "verifier"),
    parse: parseText,
  },
  keystore: {
    description:
      "encrypted key file (Ethereum V3); made at the first start where there is none. Default: key.json in the data folder",
    flag: "--keystore",
    value: "<file>",
    env: "GPUCHAIN_VERIFIER_KEYSTORE",
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

/** All settings of `gpuchain-verifier start`: one table for flags, environment, file, --help and README. */
export const configTable = defineConfig({
  ...connectionTable,
  listen: {
    description: "where the gateway listens; port 0 takes a free one",
    flag: "--listen",
    value: "<host:port>",
    env: "GPUCHAIN_VERIFIER_LISTEN",
    default: "127.0.0.1:8570",
    parse: (raw) => {
      parseListen(raw);
      return raw;
    },
  },
  endpoint: {
    description: "public address of the gateway, as registered on chain. Default: http://, where it listens",
    flag: "--endpoint",
    value: "<url>",
    env: "GPUCHAIN_VERIFIER_ENDPOINT",
    optional: true,
    parse: parseUrl(["http", "https"]),
  },
  register: {
    description: "register and bond at the start where that has not been done (on a local chain with faucet money)",
    flag: "--register",
    env: "GPUCHAIN_VERIFIER_REGISTER",
    default: false,
    parse: parseBoolean,
  },
  bond: {
    description: "bond in USDC put up at registration",
    flag: "--bond",
    value: "<usdc>",
    env: "GPUCHAIN_VERIFIER_BOND",
    default: 100_000_000n,
    parse: parseUsdc,
  },
  fee: {
    description: "least fee in USDC for a vote; jobs that pay less never seat this verifier",
    flag: "--fee",
    value: "<usdc>",
    env: "GPUCHAIN_VERIFIER_FEE",
    default: 0n,
    parse: parseUsdc,
  },
  templates: {
    description: "workload templates that this verifier judges, as a bit mask by template id",
    flag: "--templates",
    value: "<mask>",
    env: "GPUCHAIN_VERIFIER_TEMPLATES",
    default: 0xffff,
    parse: parseInteger({ min: 1, max: 0xffff }),
  },
  runtime: {
    description: "where steps are replayed: native (CPU) or wasm; canonical jobs always run on wasm",
    flag: "--runtime",
    value: "<native|wasm>",
    env: "GPUCHAIN_VERIFIER_RUNTIME",
    default: "native" as const,
    parse: parseChoice(["native", "wasm"]),
  },
  threads: {
    description: "threads of one replayed step",
    flag: "--threads",
    value: "<n>",
    env: "GPUCHAIN_VERIFIER_THREADS",
    default: 1,
    parse: parseInteger({ min: 1, max: 256 }),
  },
  memoryMb: {
    description: "memory in MiB at which the judging process is ended and started again; 0: no limit",
    flag: "--memory-mb",
    value: "<n>",
    env: "GPUCHAIN_VERIFIER_MEMORY_MB",
    default: 0,
    parse: parseInteger({ min: 0, max: 1 << 24 }),
  },
  callTimeout: {
    description: "seconds that one replay or evaluation may take before the judging process is ended and started again",
    flag: "--call-timeout",
    value: "<s>",
    env: "GPUCHAIN_VERIFIER_CALL_TIMEOUT",
    default: 600,
    parse: parseInteger({ min: 1, max: 86_400 }),
  },
  nice: {
    description: "niceness added to the judging process, so that pulses and votes go first",
    flag: "--nice",
    value: "<n>",
    env: "GPUCHAIN_VERIFIER_NICE",
    default: 1,
    parse: parseInteger({ min: 0, max: 19 }),
  },
  quotaGb: {
    description: "disk space in GiB that blobs may take",
    flag: "--quota-gb",
    value: "<n>",
    env: "GPUCHAIN_VERIFIER_QUOTA_GB",
    default: 64,
    parse: parseInteger({ min: 1, max: 1 << 20 }),
  },
  s3: {
    description:
      "keep blobs in an S3-compatible bucket instead of the data folder: https://host/bucket[/prefix], keys by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    flag: "--s3",
    value: "<url>",
    env: "GPUCHAIN_VERIFIER_S3",
    optional: true,
    parse: parseUrl(["http", "https"]),
  },
  s3KeyId: {
    description: "the bucket's access key",
    env: "AWS_ACCESS_KEY_ID",
    optional: true,
    parse: parseText,
  },
  s3Secret: {
    description: "the bucket's secret key",
    env: "AWS_SECRET_ACCESS_KEY",
    optional: true,
    secret: true,
    parse: parseText,
  },
  s3Region: {
    description: "the bucket's region",
    env: "AWS_REGION",
    default: "us-east-1",
    parse: parseText,
  },
  retentionDays: {
    description: "days that blobs are kept after their job is settled",
    flag: "--retention-days",
    value: "<n>",
    env: "GPUCHAIN_VERIFIER_RETENTION_DAYS",
    default: 7,
    parse: parseInteger({ min: 7, max: 3650 }),
  },
  ...observerOptions,
  maxPulses: {
    description: "most pulse connections at once",
    flag: "--max-pulses",
    value: "<n>",
    env: "GPUCHAIN_VERIFIER_MAX_PULSES",
    default: 5_000,
    parse: parseInteger({ min: 1, max: 1_000_000 }),
  },
});

export type VerifierConfig = ConfigValues<typeof configTable>;
export type ConnectionConfig = ConfigValues<typeof connectionTable>;

/** The key file's path: as given, or in the data folder. */
export const keystorePath = (config: Pick<ConnectionConfig, "keystore" | "data">): string =>
  config.keystore ?? join(config.data, "key.json");
