#!/usr/bin/env node
// `npm run smt`: lets solc's SMTChecker (constrained Horn clauses) prove contracts/smt/Proofs.sol with a native z3. Says what was proved,
// what the solver could not decide (arguments: only these claims), and fails when a claim is refuted or another set is unproved than the one listed here.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Claims that z3 does not decide within the limit: products of two unknowns. The README says what stands in for a proof. */
const KNOWN_UNPROVED = new Set(["PriceCeiling", "PriceCeilingRises", "WithinTheBudget"]);
/** z3's own measure of work, so that a busy machine proves the same; the seconds only end a query that has gone astray. */
const EFFORT_PER_QUERY = Number(process.env.SMT_EFFORT ?? 400_000_000);
const SECONDS_PER_QUERY = 300;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const contracts = path.join(root, "contracts");
const solc = createRequire(import.meta.url)("solc");

const z3 = spawnSync("z3", ["--version"], { encoding: "utf8" });
if (z3.status !== 0) {
  console.error(
    "error: no z3 on this machine\n  hint: apt-get install z3 (or your system's package), then run this again",
  );
  process.exit(2);
}

const folder = mkdtempSync(path.join(tmpdir(), "gpuchain-smt-"));
let queries = 0;

/** One query to z3; `unknown` when it takes too long. */
function ask(query) {
  const file = path.join(folder, `${queries++}.smt2`);
  writeFileSync(file, query);
  const args = [
    "-smt2",
    `-T:${SECONDS_PER_QUERY}`,
    `rlimit=${EFFORT_PER_QUERY}`,
    "rewriter.pull_cheap_ite=true",
    "fp.spacer.mbqi=false",
    file,
  ];
  const { stdout } = spawnSync("z3", args, { encoding: "utf8", maxBuffer: 1 << 28 });
  return { contents: /^(sat|unsat|unknown)/.test(stdout) ? stdout : "unknown" };
}

const file = "smt/Proofs.sol";
const content = readFileSync(path.join(contracts, file), "utf8");
const wanted = process.argv.slice(2);
const named = [...content.matchAll(/^contract (\w+)/gm)].map(([, name]) => name);
const claims = named.filter((name) => wanted.length === 0 || wanted.includes(name));
const read = (name) => ({ contents: readFileSync(path.join(contracts, name), "utf8") });
const checks = { engine: "chc", targets: ["assert", "overflow", "underflow", "divByZero"] };
const report = { solvers: ["smtlib2"], showProvedSafe: true, showUnproved: true };

/** One claim at a time: together they make queries of a megabyte. */
function prove(claim) {
  const modelChecker = { ...checks, ...report, contracts: { [file]: [claim] } };
  const input = { language: "Solidity", sources: { [file]: { content } }, settings: { modelChecker } };
  const { errors = [] } = JSON.parse(solc.compile(JSON.stringify(input), { import: read, smtSolver: ask }));
  const broken = errors.filter(({ severity }) => severity === "error");
  if (broken.length > 0) throw new Error(broken.map(({ formattedMessage }) => formattedMessage).join("\n"));
  const found = errors.map(({ message }) => message).filter((message) => message.startsWith("CHC: "));
  return {
    proved: found.filter((message) => message.includes("check is safe")).length,
    unproved: found.filter((message) => message.includes("might happen")).length,
    refuted: found.filter((message) => message.includes("happens here")),
  };
}

const wrong = [];
console.log(`${"claim".padEnd(24)}proved  unproved`);
for (const claim of claims) {
  const { proved, unproved, refuted } = prove(claim);
  console.log(`${claim.padEnd(24)}${String(proved).padStart(6)}${String(unproved).padStart(10)}`);
  for (const message of refuted) console.log(message);
  if (refuted.length > 0) wrong.push(`${claim} is refuted`);
  if (proved + unproved + refuted.length === 0) wrong.push(`${claim}: nothing was checked`);
  if (unproved > 0 && !KNOWN_UNPROVED.has(claim)) wrong.push(`${claim} is not proved`);
}
rmSync(folder, { recursive: true, force: true });
for (const problem of wrong) console.error(`error: ${problem}`);
process.exit(wrong.length > 0 ? 1 : 0);
