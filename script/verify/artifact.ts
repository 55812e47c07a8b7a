// What the compiler made of a contract, and under which settings.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Abi, Hex } from "viem";
import { root } from "../lib/root.ts";

export interface Artifact {
  abi: Abi;
  creationCode: Hex;
  /** where in the runtime code the constructor's immutables stand, in bytes */
  immutables: { start: number; length: number }[];
  compiler: Compiler;
}

/** As the deployment file words it. */
export interface Compiler {
  solc: string;
  evmVersion: string;
  optimizer: boolean;
  optimizerRuns: number;
  viaIR: boolean;
  metadataHash: string;
}

interface ArtifactFile {
  abi: Abi;
  bytecode: { object: Hex };
  deployedBytecode: { immutableReferences?: Record<string, { start: number; length: number }[]> };
  metadata: {
    compiler: { version: string };
    settings: {
      evmVersion: string;
      optimizer: { enabled: boolean; runs: number };
      viaIR?: boolean;
      metadata: { bytecodeHash: string };
    };
  };
}

/** Reads contracts/out. @throws Error with the command that compiles, when it is not there */
export function readArtifact(contract: string): Artifact {
  const file = path.join(root, `contracts/out/${contract}.sol/${contract}.json`);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new Error(`${contract} is not compiled: run npm run build`, { cause });
  }
  const { abi, bytecode, deployedBytecode, metadata } = JSON.parse(text) as ArtifactFile;
  const { settings } = metadata;
  return {
    abi,
    creationCode: bytecode.object,
    immutables: Object.values(deployedBytecode.immutableReferences ?? {}).flat(),
    compiler: {
      solc: metadata.compiler.version.replace(/\+.*$/, ""),
      evmVersion: settings.evmVersion,
      optimizer: settings.optimizer.enabled,
      optimizerRuns: settings.optimizer.runs,
      viaIR: settings.viaIR ?? false,
      metadataHash: settings.metadata.bytecodeHash,
    },
  };
}
