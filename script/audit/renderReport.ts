import { formatUnits } from "viem";
import type { AuditReport } from "./auditDeployment.ts";

/** The report for a terminal: a line per invariant, what broke under it, and the sums. */
export function renderReport(report: AuditReport): string {
  const usdc = (amount: bigint) => `${formatUnits(amount, 6)} USDC`;
  const width = Math.max(...report.findings.map(({ id }) => id.length));
  const lines = report.findings.flatMap(({ id, title, checked, violated, violations }) => {
    const mark = violated > 0 ? "FAILS" : checked > 0 ? "holds" : "  –  ";
    const count = violated > 0 ? `${violated} of ${checked}` : `${checked} checked`;
    return [`  ${mark}  ${id.padEnd(width)}  ${title} (${count})`, ...violations.map((text) => `           × ${text}`)];
  });
  return [
    `Chain ${report.chainId}, block ${report.block} (${report.blockHash})`,
    `${report.events} events, ${report.jobs} jobs, ${report.accounts} accounts, read in ${report.seconds.toFixed(1)} s`,
    `digest ${report.digest}`,
    "",
    ...lines,
    "",
    `  held        ${usdc(report.held)}`,
    `  owed        ${usdc(report.owed)}`,
    `  rebuilt     ${usdc(report.rebuilt)}`,
    `  difference  ${usdc(report.difference)}`,
    "",
    report.ok ? "All invariants hold." : "NOT all invariants hold.",
  ].join("\n");
}
