import type { GpuchainEvent } from "@gpuchain/sdk/chain";
import type { Daemon, DaemonLine } from "../lib/network.ts";
import type { MOMENTS, Moment } from "./plan.ts";

type At = (typeof MOMENTS)[number];

const LINES: Readonly<Record<string, At>> = {
  step: "step",
  "checkpoint.stored": "stored",
  "checkpoint.committed": "committed",
  "verdict.signed": "signed",
};
const EVENTS: Readonly<Record<string, At>> = {
  JobPosted: "posted",
  LeaseAcquired: "leased",
  CheckpointAccepted: "accepted",
  JobCompleted: "completed",
};

/** What has happened to one job so far, as the daemons' logs and the chain tell it: for knowing when a fault is due. */
export class Watcher {
  /** who holds the lease, lower case; undefined between leases */
  holder: string | undefined;
  settled = false;
  /** a daemon's words on verdicts and evictions, kept for the checks */
  readonly signed: { readonly verifier: string; readonly line: DaemonLine }[] = [];
  private readonly job: string;
  private readonly counts = new Map<At, number>();
  private readonly waiting = new Set<() => void>();

  constructor(job: bigint) {
    this.job = job.toString();
  }

  /** the client was started */
  begin(): void {
    this.count("begun");
  }

  onLine(daemon: Daemon, line: DaemonLine): void {
    if (String(line.job) !== this.job) return;
    if (line.event === "verdict.signed" || line.event === "eviction.signed")
      this.signed.push({ verifier: daemon.account.address, line });
    this.count(LINES[line.event ?? ""]);
  }

  onEvent(event: GpuchainEvent): void {
    const args = event.args as Record<string, unknown>;
    if (String(args.jobId) !== this.job) return;
    if (event.eventName === "LeaseAcquired") this.holder = event.args.provider.toLowerCase();
    if (event.eventName === "LeaseEnded") this.holder = undefined;
    if (event.eventName === "JobSettled") this.settled = true;
    this.count(EVENTS[event.eventName]);
  }

  /** Resolves at that moment, or when the job is settled: then it never comes. */
  async reach({ at, n }: Moment): Promise<void> {
    await this.until(() => (this.counts.get(at) ?? 0) >= n || this.settled);
  }

  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
      look();
    });
  }

  private count(at: At | undefined): void {
    if (at !== undefined) this.counts.set(at, (this.counts.get(at) ?? 0) + 1);
    for (const look of [...this.waiting]) look();
  }
}
