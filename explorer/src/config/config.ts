import { isAddress } from "../format/hash.ts";

/** One build serves any network: everything about it stands in `config.json` beside index.html, read once at start. */
export interface SiteConfig {
  /** shown in the header: "Local chain", "Base Sepolia" */
  readonly name: string;
  /** `recordings` has no network behind it; everything that needs a chain says so */
  readonly mode: "devnet" | "demo" | "public" | "recordings";
  readonly chainId: number | undefined;
  /** JSON-RPC over HTTP, in order of preference */
  readonly rpc: readonly string[];
  readonly blockTimeMs: number;
  /** a deployment file as `sdk/chain` reads it, whole */
  readonly deployment: unknown;
  /** GraphQL ledger's base URL */
  readonly ledger: string | undefined;
  /** verifier gateways that this page may ask for telemetry and evidence */
  readonly gateways: readonly string[];
  /** throw-away keys of a local chain; ignored unless the chain is local and reached over loopback */
  readonly localAccounts: readonly { readonly name: string; readonly privateKey: `0x${string}` }[];
}

export const OFFLINE: SiteConfig = {
  name: "No network",
  mode: "recordings",
  chainId: undefined,
  rpc: [],
  blockTimeMs: 2000,
  deployment: undefined,
  ledger: undefined,
  gateways: [],
  localAccounts: [],
};

const LOCAL_CHAIN = 31337;

/**
 * Checks a config.json. Local accounts survive only where they cannot hold anything of worth.
 * @throws Error naming the field that is wrong
 */
export function parseConfig(json: unknown): SiteConfig {
  if (typeof json !== "object" || json === null) throw new Error("config.json: expected an object");
  const raw = json as Record<string, unknown>;
  const rpc = (Array.isArray(raw.rpc) ? raw.rpc : raw.rpc === undefined ? [] : [raw.rpc]).map((u) => url("rpc", u));
  const chainId = raw.chainId === undefined ? undefined : integer("chainId", raw.chainId);
  const mode = raw.mode ?? (rpc.length > 0 ? "public" : "recordings");
  if (mode !== "devnet" && mode !== "demo" && mode !== "public" && mode !== "recordings") {
    throw new Error(`config.json: mode: unknown value ${String(mode)}`);
  }
  const local = chainId === LOCAL_CHAIN && rpc.every(isLoopback);
  return {
    name: typeof raw.name === "string" ? raw.name : OFFLINE.name,
    mode,
    chainId,
    rpc,
    blockTimeMs: raw.blockTimeMs === undefined ? 2000 : integer("blockTimeMs", raw.blockTimeMs),
    deployment: raw.deployment,
    ledger: raw.ledger ? url("ledger", raw.ledger) : undefined,
    gateways: Array.isArray(raw.gateways) ? raw.gateways.map((u) => url("gateways", u)) : [],
    localAccounts: local && Array.isArray(raw.localAccounts) ? raw.localAccounts.map(localAccount) : [],
  };
}

/** Reads config.json from beside index.html; a site without one works from recordings. */
export async function loadConfig(get: typeof fetch = fetch): Promise<SiteConfig> {
  const response = await get(`${import.meta.env.BASE_URL}config.json`, { cache: "no-store" });
  if (response.status === 404) return OFFLINE;
  if (!response.ok) throw new Error(`config.json: the server answered ${response.status}`);
  return parseConfig(await response.json());
}

function url(field: string, value: unknown): string {
  const parsed = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (!parsed || !["http:", "https:", "ws:", "wss:"].includes(parsed.protocol)) {
    throw new Error(`config.json: ${field}: expected an http or ws address, got ${String(value)}`);
  }
  return (value as string).replace(/\/$/, "");
}

function integer(field: string, value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) {
    throw new Error(`config.json: ${field}: expected a whole number, got ${String(value)}`);
  }
  return value;
}

function localAccount(value: unknown): { name: string; privateKey: `0x${string}` } {
  const { name, privateKey } = (value ?? {}) as Record<string, unknown>;
  const key = typeof privateKey === "string" && /^0x[0-9a-fA-F]{64}$/.test(privateKey);
  if (typeof name !== "string" || !key) throw new Error("config.json: localAccounts: expected { name, privateKey }");
  return { name, privateKey: privateKey as `0x${string}` };
}

const isLoopback = (address: string) => ["127.0.0.1", "localhost", "[::1]"].includes(new URL(address).hostname);

/** The address of a contract in the deployment, whichever of its usual shapes the file has; undefined when absent. */
export function contractAddress(config: SiteConfig, name: string): `0x${string}` | undefined {
  const deployment = config.deployment as Record<string, unknown> | undefined;
  const contracts = (deployment?.contracts ?? deployment) as Record<string, unknown> | undefined;
  const found = contracts?.[name] ?? contracts?.[name.charAt(0).toLowerCase() + name.slice(1)];
  return typeof found === "string" && isAddress(found) ? found : undefined;
}
