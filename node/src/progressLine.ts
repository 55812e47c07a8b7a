import { formatUsdc } from "@gpuchain/sdk/daemon";
import type { NodeStatus } from "./nodeStatus.ts";

/** The node's present in one line: what it does, how fast, what it earned, how long the lease lasts. */
export function progressLine(status: NodeStatus): string {
  const parts: string[] = [status.paused && status.state === "idle" ? "paused" : status.state];
  const { progress } = status;
  if (status.fence !== undefined) parts.push(`job ${status.job} lease ${status.fence}`);
  if (progress !== undefined) {
    parts.push(`step ${progress.step}/${status.totalSteps}`);
    parts.push(`loss ${progress.loss.toFixed(4)}`);
    parts.push(`${progress.stepsPerSecond.toFixed(1)} steps/s`);
  } else parts.push(`waiting for ${status.waitingFor}`);
  const { accepted, pending } = status.earnings;
  parts.push(`earned ${shorten(accepted)} USDC${pending > 0n ? ` (+${shorten(pending)} being judged)` : ""}`);
  if (status.leaseLeftSeconds !== undefined) parts.push(`lease ${Math.floor(status.leaseLeftSeconds)} s left`);
  if (status.pulses !== undefined) parts.push(`pulse ${status.pulses.connected}/${status.pulses.seats}`);
  return parts.join(" · ");
}

/** `0.250000` → `0.25`: six places are for tables. */
const shorten = (amount: bigint) => formatUsdc(amount).replace(/\.?0+$/, "");

export interface ProgressDisplay {
  /** writes a log line above the progress line */
  write(line: string): void;
  close(): void;
}

const REFRESH_MS = 500;
const QUIET_MS = 15_000;

/**
 * Keeps the line at the bottom of a terminal, log lines scrolling above it; where output is no terminal, writes it every 15 seconds while
 * there is work.
 */
export function showProgress(
  status: () => NodeStatus | undefined,
  out: Pick<NodeJS.WriteStream, "write" | "isTTY" | "columns"> = process.stdout,
): ProgressDisplay {
  let shown = "";
  const clear = () => {
    if (shown !== "") out.write("\r\u001b[2K");
    shown = "";
  };
  const draw = () => {
    const now = status();
    if (now === undefined) return;
    const line = progressLine(now).slice(0, Math.max(20, (out.columns ?? 120) - 1));
    if (line === shown) return;
    clear();
    shown = line;
    out.write(line);
  };
  const report = () => {
    const now = status();
    if (now?.progress !== undefined) out.write(`${progressLine(now)}\n`);
  };
  const timer = out.isTTY ? setInterval(draw, REFRESH_MS) : setInterval(report, QUIET_MS);
  timer.unref();
  return {
    write(line) {
      clear();
      out.write(line);
    },
    close() {
      clearInterval(timer);
      clear();
    },
  };
}
