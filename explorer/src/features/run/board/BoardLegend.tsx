import { Marker } from "../../../charts/Marker.tsx";
import type { RunData } from "../model/recordedRun.ts";
import { fateOf } from "../model/steps.ts";
import type { RunState } from "../model/types.ts";

/** Names the lines, and says what each way of drawing means. */
export function BoardLegend({ run, end }: { run: RunData; end: RunState }) {
  const refused = new Set(end.checkpoints.filter((c) => fateOf(c.status) === "refused").map((c) => c.provider));
  const leased = new Set(end.leases.map((l) => l.provider));
  const providers = [...run.meta.parties.values()].filter((p) => leased.has(p.address));
  return (
    <ul className="legend">
      {providers.map((p) => {
        const stroke = `var(--p${Math.min(6, p.index) || 4})`;
        return (
          <li key={p.address}>
            <svg className="lg" viewBox="0 0 26 12" aria-hidden="true">
              <path d="M0 6h26" className={refused.has(p.address) ? "sm ref" : "sm"} style={{ stroke }} />
              <Marker index={p.index} x={13} y={6} hollow={refused.has(p.address)} />
            </svg>
            {p.name}
            {refused.has(p.address) ? ", refused" : ""}
          </li>
        );
      })}
      {run.steps.length > 0 && (
        <>
          <Line className="rawl">Every step</Line>
          <Line className="sm ink">Smoothed</Line>
          <Line className="sm lostl ink">Lost</Line>
          <Line className="sm later ink">After the cursor</Line>
        </>
      )}
    </ul>
  );
}

function Line({ className, children }: { className: string; children: string }) {
  return (
    <li>
      <svg className="lg" viewBox="0 0 26 12" aria-hidden="true">
        <path d={className === "rawl" ? "M0 8l4-5 4 6 5-7 4 6 4-4 5 3" : "M0 6h26"} className={className} />
      </svg>
      {children}
    </li>
  );
}
