#!/usr/bin/env node
// Reads a demo report and says whether it shows what the demo promises. CI runs it over a fresh one.
import { readFileSync } from "node:fs";

const [file] = process.argv.slice(2);
if (!file) {
  console.error("usage: node script/check-report.mjs REPORT.json");
  process.exit(2);
}
const report = JSON.parse(readFileSync(file, "utf8"));
const units = (text) => BigInt(text.replace(".", ""));
const { money, kill, junk, job, final } = report;
const credited = [...Object.values(money.providers), money.verifiers, money.fee, money.refund].map(units);
const accepted = report.checkpoints.filter(({ verdict }) => verdict === "accepted");

const checks = {
  "every cent of the budget is accounted for": credited.reduce((sum, one) => sum + one, 0n) === units(money.budget),
  "the escrow holds what it owes": units(money.reserves.held) >= units(money.reserves.owed),
  "the run went on after the kill": kill.stepsLost >= 0 && kill.stepsLost <= kill.atStep - kill.lastCheckpoint,
  "the kill was between two checkpoints": kill.atStep % job.checkpointInterval !== 0,
  "the junk was refused and unpaid": junk.refused === true && units(junk.paid) === 0n,
  "the last step was accepted": accepted.at(-1)?.step === job.steps,
  "accepted steps rise by one interval each": accepted.every(
    ({ step }, at) => step === (at + 1) * job.checkpointInterval,
  ),
  "the model is good": final.accuracy >= 0.95,
};
const failed = Object.entries(checks).filter(([, ok]) => !ok);
for (const [name, ok] of Object.entries(checks)) console.log(`${ok ? "ok  " : "FAIL"} ${name}`);
process.exit(failed.length > 0 ? 1 : 0);
