// One file for every metric that Ponder does not have already. They appear on Ponder's /metrics.
import type { AuditService } from "./audit.ts";
import type { LiveHub } from "./live.ts";
import { ponderGlobals, runtime } from "./runtime.ts";
import { readStatus } from "./status.ts";

export function registerMetrics(audit: AuditService, hub: LiveHub): void {
  const { Gauge } = runtime().prometheus;
  const registers = [ponderGlobals().PONDER_COMMON.metrics.registry];
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      ...{ name: `gpuchain_ledger_${name}`, help, registers },
      async collect() {
        this.set(await read());
      },
    });
  const report = () => audit.report();
  gauge("audit_ok", "1: the self-audit holds; 0: it fails; -1: not known yet, off or unable", () => {
    const { ok } = report();
    return ok === null ? -1 : ok ? 1 : 0;
  });
  gauge("audit_block", "finalized block of the newest audit", () => report().block ?? -1);
  gauge("audit_violations", "violations of all invariants", () =>
    report().findings.reduce((sum, { violated }) => sum + violated, 0),
  );
  gauge("audit_difference_base_units", "owed by the contract beyond what the logs add up to", () =>
    Number(report().difference ?? 0n),
  );
  gauge("audit_sweeps_total", "times that every row was compared", () => report().sweeps);
  gauge(
    "lag_blocks",
    "blocks between chain head and ledger; -1: not known",
    async () => (await readStatus(hub)).lag?.blocks ?? -1,
  );
  gauge(
    "lag_seconds",
    "seconds between chain head and ledger; -1: not known",
    async () => (await readStatus(hub)).lag?.seconds ?? -1,
  );
  gauge("live_listeners", "listeners to live updates", () => hub.subscribers());
}
