import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import type { ChildSettings } from "../protocol.ts";

const CHECK_EVERY_MS = 500;

/**
 * Puts this process behind the daemons: lower priority, first in line when the system runs out of memory, and ended by itself once it
 * holds more than it may.
 */
export function applyLimits({ nice, memoryMb }: ChildSettings, die: (reason: string) => void): void {
  if (nice !== undefined && nice > 0) setPriority(nice);
  if (process.platform === "linux") preferredVictim();
  if (memoryMb === undefined || memoryMb === 0) return;
  setInterval(() => {
    const used = process.memoryUsage.rss() / 2 ** 20;
    if (used > memoryMb) die(`used ${Math.round(used)} MiB of the ${memoryMb} MiB it may`);
  }, CHECK_EVERY_MS).unref();
}

/** Raising one's own score needs no privilege; where even that is not allowed, the system's own choice stands. */
function preferredVictim(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "500");
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}
