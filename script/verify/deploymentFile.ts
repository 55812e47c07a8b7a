// The whole of what contracts/script/Deploy.s.sol writes down; daemons read a part of it.
import { readFileSync } from "node:fs";
import { GpuchainError } from "@gpuchain/sdk/daemon";
import { z } from "zod";
import type { Compiler } from "./artifact.ts";

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const hex = z.string().regex(/^0x([0-9a-fA-F]{2})*$/);
const names = ["usdc", "escrow", "registry", "jobs", "settlement", "court", "lens"] as const;
const limits = [
  ...["minLeaseDuration", "minVerdictTimeout", "minDisputeWindow", "maxBudget", "minProviderBond", "minVerifierBond"],
  ...["appealWindow", "arbiterPeriod", "unbondingPeriod", "drawDelay", "longCoolDown", "shortCoolDown"],
] as const;

const each = <T extends z.ZodType>(keys: readonly string[], type: T) =>
  z.object(Object.fromEntries(keys.map((key) => [key, type])));

const schema = z.object({
  protocolVersion: z.number().int(),
  chainId: z.number().int(),
  startBlock: z.number().int(),
  ...{ deployer: address, owner: address, arbiter: address, treasury: address },
  contracts: each(names, address),
  limits: each(limits, z.number().int()),
  constructorArgs: each(names.slice(1), hex),
  bytecodeHashes: each(names, hex),
  compiler: z.object({
    ...{ solc: z.string(), evmVersion: z.string(), optimizer: z.boolean(), optimizerRuns: z.number().int() },
    ...{ viaIR: z.boolean(), metadataHash: z.string() },
  }),
});

export type ContractName = (typeof names)[number];
type Address = `0x${string}`;

export interface DeploymentFile {
  protocolVersion: number;
  chainId: number;
  startBlock: number;
  deployer: Address;
  owner: Address;
  arbiter: Address;
  treasury: Address;
  contracts: Record<ContractName, Address>;
  limits: Record<string, number>;
  /** ABI-encoded */
  constructorArgs: Record<Exclude<ContractName, "usdc">, Address>;
  /** keccak256 of the code on chain */
  bytecodeHashes: Record<ContractName, Address>;
  compiler: Compiler;
}

/** @throws GpuchainError DEPLOYMENT_MISSING or DEPLOYMENT_INVALID, naming the field */
export function readDeploymentFile(file: string): DeploymentFile {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    const hint = "give the file that the deploy script wrote, deployments/<chain>.json";
    throw new GpuchainError("DEPLOYMENT_MISSING", `cannot read the deployment file ${file}`, { hint, cause });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new GpuchainError("DEPLOYMENT_INVALID", `${file} is not JSON`, { cause });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data as unknown as DeploymentFile;
  const [issue] = parsed.error.issues;
  throw new GpuchainError("DEPLOYMENT_INVALID", `${file}: ${issue?.path.join(".")}: ${issue?.message}`, {
    hint: "give the file that the deploy script wrote",
    cause: parsed.error,
  });
}
