// Writes sdk/src/chain/generated/ from the compiled contracts and docs/api from the SDK; `--check` only compares, so that CI catches what drifted.
// Also keeps contracts/snapshots/interface-v<version>.txt, the events and signed types that others build on: it is written once per protocol
// version and never changed, so that an event cannot change without a new version.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { generateReference } from "./docs/reference.ts";
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
  name?: string;
  indexed?: boolean;
  components?: AbiInput[];
}

function main(): void {
  const check = process.argv.includes("--check");
  const files = new Map<string, string>();
  for (const [name, contracts] of CONTRACTS) files.set(`${name}.ts`, render(name, contracts));
  files.set("index.ts", CONTRACTS.map(([name]) => `export { ${name}Abi } from "./${name}.ts";\n`).join(""));

  const problem = keepInterface(check);
  if (problem !== undefined) {
    console.error(problem);
    process.exitCode = 1;
    return;
  }
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

/** Compares the stable interface with the committed one, or writes the first of a version. @returns what is wrong */
function keepInterface(check: boolean): string | undefined {
  const version = /PROTOCOL_VERSION_NUMBER = (\d+)/.exec(source("libraries/Constants.sol"))?.[1];
  if (version === undefined) throw new Error("no PROTOCOL_VERSION_NUMBER in Constants.sol");
  const file = path.join(root, `contracts/snapshots/interface-v${version}.txt`);
  const now = stableInterface();
  const before = current(file);
  if (before === now) return undefined;
  if (before !== undefined) {
    const lines = new Set(before.split("\n"));
    const changed = now.split("\n").filter((line) => !lines.has(line));
    return `error: events or signed types of protocol version ${version} changed:\n  ${changed.join("\n  ")}\n  hint: raise PROTOCOL_VERSION_NUMBER`;
  }
  if (check)
    return `error: ${path.relative(root, file)} is missing\n  hint: run npm run generate and commit the result`;
  writeFileSync(file, now);
  return undefined;
}

/** Every event of every contract, every EIP-712 type and every enum, one a line, sorted. */
function stableInterface(): string {
  const events = CONTRACTS.filter(([name]) => name !== "testUsdc").flatMap(([, contracts]) =>
    contracts.flatMap((contract) =>
      readAbi(contract)
        .filter((item) => item.type === "event")
        .map(
          (item) =>
            `${contracts[0]?.replace(/^IJobs$/, "Jobs")} event ${item.name}(${item.inputs?.map(parameter).join(", ")})`,
        ),
    ),
  );
  const types = [...source("libraries/VerdictLib.sol").matchAll(/"(\w+\(\w+ \w+[^"]*\))"/g)].map(
    ([, type]) => `EIP-712 ${type}`,
  );
  // Events carry enums as numbers.
  const enums = [...source("Types.sol").matchAll(/^enum (\w+) \{([^}]*)\}/gm)].map(
    ([, name, body]) =>
      `enum ${name}: ${body
        ?.replace(/\/\/.*$/gm, "")
        .match(/\w+/g)
        ?.join(", ")}`,
  );
  return `${[...new Set([...events, ...types, ...enums])].sort().join("\n")}\n`;
}

function parameter(input: AbiInput): string {
  const type = input.components === undefined ? input.type : `(${input.components.map(parameter).join(", ")})`;
  return `${type}${input.indexed === true ? " indexed" : ""} ${input.name}`;
}

function source(file: string): string {
  return readFileSync(path.join(root, "contracts/src", file), "utf8");
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
generateReference(process.argv.includes("--check"));
