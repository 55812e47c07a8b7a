import type { Logger } from "@gpuchain/sdk/daemon";
import type { LogLine } from "@gpuchain/sdk/gateway";

const LEVELS = ["info", "warn", "error"] as const;
/** Of a line, in characters. */
const MAX_MESSAGE = 500;

/**
 * A logger of one lease whose lines are also told to whoever follows the job. Told is the sentence and an error's code; fields, the error's
 * own words and its stack stay here: they may speak of this machine's paths and addresses.
 */
export function createLeaseLog(
  log: Logger,
  lease: { readonly job: bigint; readonly fence: bigint },
  tell: (line: LogLine) => void,
  now: () => number = Date.now,
): Logger {
  const child = log.child({ job: lease.job.toString(), fence: lease.fence.toString() });
  for (const level of LEVELS) {
    const write = child[level];
    child[level] = function (this: Logger, ...line: Parameters<typeof write>) {
      const message = toldOf(line);
      if (message !== undefined) tell({ at: now(), level, message });
      write.apply(this, line);
    } as typeof write;
  }
  return child;
}

function toldOf([first, second]: readonly unknown[]): string | undefined {
  const text = typeof first === "string" ? first : second;
  if (typeof text !== "string") return undefined;
  const error = typeof first === "object" && first !== null && "err" in first ? first.err : undefined;
  const code = error instanceof Error ? ("code" in error ? String(error.code) : error.name) : undefined;
  return `${text}${code === undefined ? "" : ` (${code})`}`.slice(0, MAX_MESSAGE);
}
