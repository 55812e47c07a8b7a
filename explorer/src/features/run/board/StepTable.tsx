import { count, loss } from "../../../format/number.ts";
import { clock } from "../../../format/time.ts";
import type { RunData } from "../model/recordedRun.ts";
import { lastStepAt } from "../model/steps.ts";
import type { RunState } from "../model/types.ts";

const AROUND = 20;

/** The chart as a table: the steps around the cursor, each a way to move it. */
export function StepTable(props: { run: RunData; end: RunState; t: number; onSeek: (t: number) => void }) {
  const { run, end, t, onSeek } = props;
  const { steps } = run;
  const at = Math.max(0, lastStepAt(steps, t));
  const from = Math.max(0, Math.min(at - AROUND, steps.length - 2 * AROUND - 1));
  const rows = Array.from({ length: Math.min(steps.length, 2 * AROUND + 1) }, (_, i) => from + i);
  const name = (fence: number) => {
    const lease = end.leases.find((l) => l.fence === fence);
    return (lease && run.meta.parties.get(lease.provider)?.name) ?? "?";
  };
  return (
    <table className="tab steps">
      <caption>
        Steps {count(steps.step[from] ?? 0)} to {count(steps.step[from + rows.length - 1] ?? 0)}, of{" "}
        {count(steps.length)} trained. Loss is self-reported.
      </caption>
      <thead>
        <tr>
          <th>Time</th>
          <th className="r">Step</th>
          <th>Provider</th>
          <th className="r">Fence</th>
          <th className="r">Loss</th>
          <th className="r">Smoothed</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((i) => (
          <tr key={i} className={i === at ? "cursor-row" : undefined}>
            <td className="num">
              <button type="button" className="linkb" onClick={() => onSeek(steps.t[i] ?? 0)}>
                {clock(steps.t[i] ?? 0, true)}
              </button>
            </td>
            <td className="num r">{count(steps.step[i] as number)}</td>
            <td>{name(steps.fence[i] ?? 0)}</td>
            <td className="num r">{steps.fence[i]}</td>
            <td className="num r">{loss(steps.loss[i] as number)}</td>
            <td className="num r">{loss(steps.smooth[i] as number)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
