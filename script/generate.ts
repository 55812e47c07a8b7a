// Writes sdk/src/chain/generated/ from the compiled contracts; `--check` only compares, so that CI catches ABIs that drifted.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./lib/root.ts";

const target = path.join(root, "sdk/src/chain/generated");

/** Contract → file and constant names. Each ABI holds its contract's functions, events and errors, and those of its libraries. */
const CONTRACTS = [
  ["Jobs", "jobs"],
  ["Court", "court"],
  ["Registry", "registry"],
  ["Escrow", "escrow"],
  ["Lens", "lens"],
  ["TestUSDC", "testUsdc"],
] as const;

interface AbiItem {
  type: string;
  name?: string;
  inputs?: unknown[];
}

function main(): void {
  const check = process.argv.includes("--check");
  const files = new Map<string, string>();
  for (const [contract, name] of CONTRACTS) files.set(`${name}.ts`, render(contract, name));
  files.set("index.ts", CONTRACTS.map(([, name]) => `export { ${name}Abi } from "./${name}.ts";\n`).join(""));

  const stale = [...files].filter(([file, text]) => current(path.join(target, file)) !== text).map(([file]) => file);
  if (check) {
    if (stale.length === 0) {
      console.log(`generated: ${files.size} files match the contracts`);
      return;
    }
    console.error(`error: out of date: ${stale.join(", ")}\n  hint: run npm run generate and commit the result`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(target, { recursive: true });
  for (const [file, text] of files) writeFileSync(path.join(target, file), text);
  console.log(stale.length === 0 ? "generated: nothing changed" : `generated: ${stale.join(", ")}`);
}

function render(contract: string, name: string): string {
  const artifact = path.join(root, `contracts/out/${contract}.sol/${contract}.json`);
  const text = current(artifact);
  if (text === undefined) throw new Error(`${contract} is not compiled: run npm run build`);
  const { abi } = JSON.parse(text) as { abi: AbiItem[] };
  return `// Generated from contracts/src/${contract}.sol by script/generate.ts. Do not edit.\nexport const ${name}Abi = ${JSON.stringify(abi, null, 2)} as const;\n`;
}

function current(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

main();
