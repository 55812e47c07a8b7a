import { applyEvent } from "./applyEvent.ts";
import type { LedgerEvent } from "./events.ts";
import { invariants, type Moment } from "./invariants.ts";
import { MemoryStore } from "./memoryStore.ts";
import type { Row } from "./tables.ts";

/** How an invariant fared over a run of events. */
export interface Finding {
  id: string;
  title: string;
  /** events it applied to */
  checked: number;
  /** in words, with block and event; at most `MAX_VIOLATIONS`, `violated` counts all */
  violations: string[];
  violated: number;
}

const MAX_VIOLATIONS = 20;

/** Rebuilds the tables from events and checks every invariant on the way. */
export class Auditor {
  readonly store = new MemoryStore();
  private readonly compacts: boolean;
  readonly findings: Finding[] = invariants.map(({ id, title }) => ({
    ...{ id, title, checked: 0, violations: [], violated: 0 },
  }));

  /** @param compact keep only fingerprints of rows that nothing reads again: for an audit that runs for months */
  constructor({ compact = false }: { compact?: boolean } = {}) {
    this.compacts = compact;
  }

  /** Applies the next event, in chain order. @throws what `applyEvent` throws */
  async apply(event: LedgerEvent): Promise<void> {
    const seq = (this.store.get("total", "1")?.events ?? 0) + 1;
    const before = this.moment(subjectOf(event));
    await applyEvent(this.store, event);
    const journal = this.store.get("journal", String(seq));
    if (!journal) throw new Error(`event ${seq} left no journal row`);
    const after = this.moment(subjectOf(event));
    const postings: Readonly<Row<"posting">>[] = [];
    for (let line = 0; ; line++) {
      const row = this.store.get("posting", `${seq}:${line}`);
      if (!row) break;
      postings.push(row);
    }
    for (const [index, { check }] of invariants.entries()) {
      const finding = this.findings[index];
      const wrong = check({ event, journal, before, after, postings, store: this.store });
      if (!finding || wrong === undefined) continue;
      finding.checked += 1;
      for (const text of wrong) this.report(finding, `block ${event.block.number}, ${event.name}: ${text}`);
    }
    if (this.compacts) this.store.compact();
  }

  private report(finding: Finding, text: string): void {
    finding.violated += 1;
    if (finding.violations.length < MAX_VIOLATIONS) finding.violations.push(text);
  }

  private moment({ jobId, fence, checkpointId }: Subject): Moment {
    const checkpoint = checkpointId === undefined ? undefined : this.store.get("checkpoint", String(checkpointId));
    const job = jobId === undefined ? undefined : this.store.get("job", String(jobId));
    const number = fence ?? checkpoint?.fence;
    return { job, checkpoint, lease: number === undefined ? undefined : this.store.get("lease", `${jobId}:${number}`) };
  }
}

interface Subject {
  jobId: bigint | undefined;
  fence: number | undefined;
  checkpointId: bigint | undefined;
}

function subjectOf({ args }: LedgerEvent): Subject {
  const checkpointId = typeof args.checkpointId === "bigint" ? args.checkpointId : undefined;
  const jobId =
    typeof args.jobId === "bigint" ? args.jobId : checkpointId === undefined ? undefined : checkpointId >> 32n;
  return { checkpointId, jobId, fence: typeof args.fence === "number" ? args.fence : undefined };
}
