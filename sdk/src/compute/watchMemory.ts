import { readFileSync } from "node:fs";

const CHECK_EVERY_MS = 200;
const PAGE_KB = 4;

/**
 * Watches a child's resident memory from outside: a graph's run blocks the child's own event loop for as long as it takes, and the system's
 * killer might choose another victim. Linux only; elsewhere the child's own check between steps has to do.
 *
 * @param onExceeded called once, with the MiB in use
 * @returns ends the watch
 */
export function watchMemory(
  pid: number | undefined,
  limitMb: number,
  onExceeded: (usedMb: number) => void,
): () => void {
  if (pid === undefined || process.platform !== "linux") return () => undefined;
  const timer = setInterval(() => {
    const usedMb = residentMb(pid);
    if (usedMb === undefined || usedMb <= limitMb) return;
    clearInterval(timer);
    onExceeded(usedMb);
  }, CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** undefined once the process is gone */
function residentMb(pid: number): number | undefined {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    return (pages * PAGE_KB) / 1024;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH"))
      return undefined;
    throw error;
  }
}
