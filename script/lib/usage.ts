// What processes cost: CPU seconds and memory, read from Linux's /proc. Elsewhere the figures are absent, never made up.
import { readdirSync, readFileSync } from "node:fs";

export interface Usage {
  /** user and system CPU time so far, in ms, children included that have ended */
  cpuMs: number;
  /** proportional set size in bytes: shared pages counted once over all processes */
  pssBytes: number;
}

/** /proc counts CPU time in ticks of 1/100 s (USER_HZ), on every Linux that Node runs on. */
const MS_PER_TICK = 10;

/** Sums the usage of each process group. Groups that are gone read as zero; undefined where there is no /proc. */
export function usageByGroup(groups: readonly number[]): Map<number, Usage> | undefined {
  const result = new Map<number, Usage>(groups.map((group) => [group, { cpuMs: 0, pssBytes: 0 }]));
  let names: string[];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined; // Not Linux.
  }
  for (const pid of names) {
    const stat = read(`/proc/${pid}/stat`);
    if (stat === undefined) continue;
    // The command's name stands in brackets and may hold spaces; the numbers follow the last bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const usage = result.get(Number(fields[2]));
    if (!usage) continue;
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
    usage.cpuMs += ticks * MS_PER_TICK;
    const pss = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? "");
    usage.pssBytes += Number(pss?.[1] ?? 0) * 1024;
  }
  return result;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // The process ended meanwhile.
  }
}
