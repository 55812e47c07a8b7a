import { isGpuchainError, type Journal } from "@gpuchain/sdk/daemon";
import type { LogLine, StepSample } from "@gpuchain/sdk/gateway";

export interface StoredStep extends StepSample {
  readonly fence: bigint;
}
export interface StoredLog extends LogLine {
  readonly id: number;
  readonly fence: bigint;
}

export interface TelemetryEvents {
  readonly onSteps?: (job: bigint, steps: readonly StoredStep[]) => void;
  readonly onLogs?: (job: bigint, logs: readonly StoredLog[]) => void;
}

export interface TelemetryStore {
  add(job: bigint, fence: bigint, steps: readonly StepSample[], logs: readonly LogLine[]): void;
  steps(job: bigint, filter: { fence?: bigint; after?: number; limit: number }): StoredStep[];
  logs(job: bigint, filter: { after?: number; limit: number }): StoredLog[];
  subscribe(events: TelemetryEvents): () => void;
  /** Drops everything of a job. */
  remove(job: bigint): void;
  flush(): void;
  close(): void;
}

export const telemetryMigrations: readonly string[] = [
  `CREATE TABLE step (
     job TEXT NOT NULL, fence INTEGER NOT NULL, step INTEGER NOT NULL, body TEXT NOT NULL,
     PRIMARY KEY (job, fence, step)
   ) WITHOUT ROWID;
   CREATE INDEX step_by_job ON step (job, step);
   CREATE TABLE log (id INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL, fence INTEGER NOT NULL, body TEXT NOT NULL);
   CREATE INDEX log_by_job ON log (job, id);`,
];

const FLUSH_MS = 500;
/** Messages of nodes that are kept while the disk is full. */
const MAX_WAITING = 1_000;
/** Log lines kept for one job; the oldest go first. */
const MAX_LOGS = 10_000;

/**
 * Step samples and log lines as nodes report them. Written in batches, because each commit of the file waits for the disk and pulses must
 * not wait with it: what the last half second brought may be lost in a crash.
 */
export function createTelemetryStore(database: Journal): TelemetryStore {
  const listeners = new Set<TelemetryEvents>();
  let waiting: { job: bigint; fence: bigint; steps: readonly StepSample[]; logs: readonly StoredLog[] }[] = [];
  let nextLog = 1 + Number(database.get<{ id: number | null }>("SELECT MAX(id) AS id FROM log")?.id ?? 0);
  let timer: NodeJS.Timeout | undefined;

  const write = (batch: typeof waiting): void => {
    for (const { job, fence, steps, logs } of batch) {
      for (const sample of steps)
        database.run(
          `INSERT INTO step (job, fence, step, body) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET body = excluded.body`,
          String(job),
          Number(fence),
          sample.step,
          JSON.stringify(sample),
        );
      for (const { id, fence: _fence, ...line } of logs)
        database.run(
          "INSERT INTO log (id, job, fence, body) VALUES (?, ?, ?, ?)",
          id,
          String(job),
          Number(fence),
          JSON.stringify(line),
        );
      if (logs.length > 0)
        database.run(
          "DELETE FROM log WHERE job = ? AND id <= (SELECT MAX(id) FROM log WHERE job = ?) - ?",
          String(job),
          String(job),
          MAX_LOGS,
        );
    }
  };

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      database.transaction(() => write(batch));
    } catch (error) {
      if (!isGpuchainError(error, "DISK_FULL")) throw error;
      // A curve is no reason to end a verifier: it waits for room, the newest of it.
      waiting = [...batch, ...waiting].slice(-MAX_WAITING);
      timer = setTimeout(flush, FLUSH_MS);
      timer.unref();
    }
  };

  return {
    add(job, fence, steps, logs) {
      const lines = logs.map((line) => ({ ...line, id: nextLog++, fence }));
      waiting.push({ job, fence, steps, logs: lines });
      timer ??= setTimeout(flush, FLUSH_MS);
      for (const { onSteps, onLogs } of listeners) {
        if (steps.length > 0)
          onSteps?.(
            job,
            steps.map((sample) => ({ ...sample, fence })),
          );
        if (lines.length > 0) onLogs?.(job, lines);
      }
    },
    steps(job, { fence, after = -1, limit }) {
      flush();
      const rows =
        fence === undefined
          ? database.all<{ fence: number; body: string }>(
              "SELECT fence, body FROM step WHERE job = ? AND step > ? ORDER BY step, fence LIMIT ?",
              String(job),
              after,
              limit,
            )
          : database.all<{ fence: number; body: string }>(
              "SELECT fence, body FROM step WHERE job = ? AND fence = ? AND step > ? ORDER BY step LIMIT ?",
              String(job),
              Number(fence),
              after,
              limit,
            );
      return rows.map((row) => ({ ...(JSON.parse(row.body) as StepSample), fence: BigInt(row.fence) }));
    },
    logs(job, { after = 0, limit }) {
      flush();
      return database
        .all<{ id: number; fence: number; body: string }>(
          "SELECT id, fence, body FROM log WHERE job = ? AND id > ? ORDER BY id LIMIT ?",
          String(job),
          after,
          limit,
        )
        .map(({ id, fence, body }) => ({ ...(JSON.parse(body) as LogLine), id, fence: BigInt(fence) }));
    },
    subscribe(events) {
      listeners.add(events);
      return () => void listeners.delete(events);
    },
    remove(job) {
      flush();
      database.run("DELETE FROM step WHERE job = ?", String(job));
      database.run("DELETE FROM log WHERE job = ?", String(job));
    },
    flush,
    close() {
      flush();
      listeners.clear();
    },
  };
}
