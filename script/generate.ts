// Writes sdk/src/chain/generated/ from the compiled contracts; `--check` only compares, so that CI catches ABIs that drifted.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./lib/root.ts";

const target = path.join(root, "sdk/src/chain/generated");

/**
 * File and constant name → the artifacts whose functions, events and errors it holds. `Jobs` answers under one address
 * with two contracts' code (`IJobs` names it all; the contracts add the errors of their libraries).
 */
const CONTRACTS = [
  ["jobs", ["IJobs", "Jobs", "Settlement"]],
  ["court", ["Court"]],
  ["registry", ["Registry"]],
  ["escrow", ["Escrow"]],
  ["lens", ["Lens"]],
  ["testUsdc", ["TestUSDC"]],
] as const;

interface AbiItem {
  type: string;
  name?: string;
  inputs?: AbiInput[];
}

interface AbiInput {
  type: string;
  components?: AbiInput[];
}

function main(): void {
  const check = process.argv.includes("--check");
  const files = new Map<string, string>();
  for (const [name, contracts] of CONTRACTS) files.set(`${name}.ts`, render(name, contracts));
  files.set("index.ts", CONTRACTS.map(([name]) => `export { ${name}Abi } from "./${name}.ts";\n`).join(""));

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

function render(name: string, contracts: readonly string[]): string {
  const items = new Map<string, AbiItem>();
  for (const contract of contracts) {
    for (const item of readAbi(contract)) {
      // The constructor and `receive` belong to one contract's deployment, not to what callers of the pair use.
      if (contracts.length > 1 && (item.name === undefined || item.type === "constructor")) continue;
      const key = `${item.type} ${item.name}(${JSON.stringify(item.inputs?.map(signature))})`;
      if (!items.has(key)) items.set(key, item);
    }
  }
  const from = contracts.map((contract) => `${contract}.sol`).join(", ");
  const abi = JSON.stringify([...items.values()], null, 2);
  return `// Generated from ${from} by script/generate.ts. Do not edit.\nexport const ${name}Abi = ${abi} as const;\n`;
}

function readAbi(contract: string): AbiItem[] {
  const text = current(path.join(root, `contracts/out/${contract}.sol/${contract}.json`));
  if (text === undefined) throw new Error(`${contract} is not compiled: run npm run build`);
  return (JSON.parse(text) as { abi: AbiItem[] }).abi;
}

/** Types alone: the same function may name its parameters differently in its interface. */
function signature(input: AbiInput): unknown {
  return input.components === undefined ? input.type : [input.type, input.components.map(signature)];
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
