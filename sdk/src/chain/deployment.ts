import { type Address, getAddress } from "viem";
import { GpuchainError } from "../daemon/errors.ts";

/** The version of events, EIP-712 types and rules that this SDK speaks; equals `Registry.PROTOCOL_VERSION()`. */
export const PROTOCOL_VERSION = 1;

/** Where one deployment of the protocol lives. */
export interface Deployment {
  protocolVersion: number;
  chainId: number;
  /** Block of the first contract; nothing older needs to be read. */
  startBlock: bigint;
  contracts: DeploymentContracts;
}

export interface DeploymentContracts {
  jobs: Address;
  court: Address;
  registry: Address;
  escrow: Address;
  usdc: Address;
  lens: Address;
}

const contractNames = ["jobs", "court", "registry", "escrow", "usdc", "lens"] as const;

/** Reads the JSON of a deployment file. Throws DEPLOYMENT_INVALID, naming the field. */
export function parseDeployment(json: string): Deployment {
  let file: unknown;
  try {
    file = JSON.parse(json);
  } catch (error) {
    throw invalid("it is not JSON", error);
  }
  if (typeof file !== "object" || file === null) throw invalid("it is not a JSON object");
  const { protocolVersion, chainId, startBlock, contracts } = file as Record<string, unknown>;
  if (typeof contracts !== "object" || contracts === null) throw invalid('"contracts" is missing');
  const addresses = contracts as Record<string, unknown>;
  return {
    protocolVersion: wholeNumber(protocolVersion, "protocolVersion"),
    chainId: wholeNumber(chainId, "chainId"),
    startBlock: BigInt(wholeNumber(startBlock, "startBlock")),
    contracts: Object.fromEntries(
      contractNames.map((name) => [name, address(addresses[name], `contracts.${name}`)]),
    ) as unknown as DeploymentContracts,
  };
}

/** Reads a deployment file (Node only). Throws DEPLOYMENT_MISSING or DEPLOYMENT_INVALID. */
export function loadDeployment(path: string): Deployment {
  // Not an import: this room also runs in browsers, which have no file system.
  const { readFileSync } = process.getBuiltinModule("node:fs");
  let json: string;
  try {
    json = readFileSync(path, "utf8");
  } catch (error) {
    throw new GpuchainError("DEPLOYMENT_MISSING", `cannot read the deployment file ${path}`, {
      hint: "give the file that the deploy script wrote (deployments/<network>.json), or run: npm run devnet",
      cause: error,
    });
  }
  return parseDeployment(json);
}

function wholeNumber(value: unknown, field: string): number {
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 0) {
    throw invalid(`"${field}" is not a whole number`);
  }
  return number;
}

function address(value: unknown, field: string): Address {
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(value)) throw invalid(`"${field}" is not an address`);
  return getAddress(value);
}

function invalid(reason: string, cause?: unknown): GpuchainError {
  return new GpuchainError("DEPLOYMENT_INVALID", `this is no deployment file: ${reason}`, {
    hint: "give the file that the deploy script wrote",
    cause,
  });
}
