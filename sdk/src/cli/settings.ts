import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type ConfigValues, defineConfig, GpuchainError, parseBoolean, parseText, parseUrl } from "../daemon/index.ts";

/** What every command takes. Keys never come from the command line: other users of the machine can read it. */
export const settingsTable = defineConfig({
  network: {
    description: "a network of the profile file, or one of the built-in ones: local, base-sepolia",
    flag: "--network",
    value: "<name>",
    env: "GPUCHAIN_NETWORK",
    default: "local",
    parse: parseText,
  },
  rpc: {
    description: "address of the chain, instead of the network's",
    flag: "--rpc",
    value: "<url>",
    env: "GPUCHAIN_RPC",
    optional: true,
    secret: "url",
    parse: parseUrl(["http", "https", "ws", "wss"]),
  },
  deployment: {
    description: "deployment file, instead of the network's",
    flag: "--deployment",
    value: "<file>",
    env: "GPUCHAIN_DEPLOYMENT",
    optional: true,
    parse: parseText,
  },
  ledger: {
    description: "address of a ledger, instead of the network's",
    flag: "--ledger",
    value: "<url>",
    env: "GPUCHAIN_LEDGER",
    optional: true,
    parse: parseUrl(["http", "https"]),
  },
  keystore: {
    description: "encrypted key file (Ethereum V3)",
    flag: "--keystore",
    value: "<file>",
    env: "GPUCHAIN_KEYSTORE",
    optional: true,
    parse: parseText,
  },
  passwordFile: {
    description: "file whose first line is the key file's password",
    flag: "--password-file",
    value: "<file>",
    env: "GPUCHAIN_PASSWORD_FILE",
    optional: true,
    parse: parseText,
  },
  password: {
    description: "password of the key file",
    env: "GPUCHAIN_PASSWORD",
    secret: true,
    optional: true,
    parse: parseText,
  },
  privateKey: {
    description: "the key itself, instead of a key file; for local and test networks",
    env: "GPUCHAIN_PRIVATE_KEY",
    secret: true,
    optional: true,
    parse: parseText,
  },
  dataDir: {
    description: "folder for what must survive a crash: transactions under way",
    flag: "--data-dir",
    value: "<dir>",
    env: "GPUCHAIN_DATA_DIR",
    default: join(homedir(), ".gpuchain", "client"),
    parse: parseText,
  },
  profile: {
    description: "profile file with networks",
    flag: "--profile",
    value: "<file>",
    env: "GPUCHAIN_PROFILE",
    default: join(homedir(), ".gpuchain", "profile.json"),
    parse: parseText,
  },
  json: { description: "JSON instead of text", flag: "--json", default: false, parse: parseBoolean },
});

export type Settings = ConfigValues<typeof settingsTable>;

const url = (...schemes: string[]) => {
  const read = parseUrl(schemes);
  return z.string().refine(
    (text) => {
      try {
        return read(text) === text;
      } catch {
        return false;
      }
    },
    `must start with ${schemes.map((one) => `${one}://`).join(" or ")}`,
  );
};

const networkSchema = z.strictObject({
  /** Address of the chain. */
  rpc: url("http", "https", "ws", "wss"),
  deployment: z.string(),
  /** Address of a ledger: money and speed of past work, as far as it is there. */
  ledger: url("http", "https").optional(),
  keystore: z.string().optional(),
  passwordFile: z.string().optional(),
});
const profileSchema = z.strictObject({ networks: z.record(z.string(), networkSchema) });

/** Where a network lives. */
export type Network = z.infer<typeof networkSchema>;

const builtIn = (): Record<string, Network> => ({
  local: { rpc: "ws://127.0.0.1:8545", deployment: deploymentOf(31_337), ledger: "http://127.0.0.1:42069" },
  "base-sepolia": { rpc: "https://sepolia.base.org", deployment: deploymentOf(84_532) },
});

/** The deployment file of a chain: below the folder one is in, else in the clone that this program is of. */
function deploymentOf(chainId: number): string {
  const here = `deployments/${chainId}.json`;
  const clone = fileURLToPath(new URL(`../../../${here}`, import.meta.url));
  return !existsSync(here) && existsSync(clone) ? clone : here;
}

/** The network that the settings name, with what the settings override. Throws NETWORK_UNKNOWN, PROFILE_INVALID. */
export function networkOf(settings: Settings): Network {
  const networks = { ...builtIn(), ...readProfile(settings.profile) };
  const found = Object.hasOwn(networks, settings.network) ? networks[settings.network] : undefined;
  if (found === undefined) {
    throw new GpuchainError("NETWORK_UNKNOWN", `there is no network "${settings.network}"`, {
      hint: `choose one of ${Object.keys(networks).join(", ")}, or add it to ${settings.profile}`,
    });
  }
  const { rpc, deployment, ledger, keystore, passwordFile } = settings;
  return {
    ...found,
    ...(rpc !== undefined && { rpc }),
    ...(deployment !== undefined && { deployment }),
    ...(ledger !== undefined && { ledger }),
    ...(keystore !== undefined && { keystore }),
    ...(passwordFile !== undefined && { passwordFile }),
  };
}

/** Files that a profile names lie relative to it: what it means must not depend on the folder one is in. */
function resolveFiles(network: Network, profile: string): Network {
  const { deployment, keystore, passwordFile } = network;
  const at = (file: string) => resolve(dirname(profile), file);
  return {
    ...network,
    deployment: at(deployment),
    ...(keystore !== undefined && { keystore: at(keystore) }),
    ...(passwordFile !== undefined && { passwordFile: at(passwordFile) }),
  };
}

function readProfile(path: string): Record<string, Network> {
  if (!existsSync(path)) return {};
  try {
    const { networks } = profileSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return Object.fromEntries(Object.entries(networks).map(([name, network]) => [name, resolveFiles(network, path)]));
  } catch (cause) {
    const reason =
      cause instanceof z.ZodError
        ? cause.issues.map(({ path: at, message }) => `${at.join(".") || "file"}: ${message}`).join("; ")
        : cause instanceof Error
          ? cause.message
          : String(cause);
    throw new GpuchainError("PROFILE_INVALID", `${path} is no profile file: ${reason}`, {
      hint: 'it holds { "networks": { "<name>": { "rpc": "…", "deployment": "…", "keystore": "…" } } }',
      cause,
    });
  }
}
