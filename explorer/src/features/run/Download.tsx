import { Link } from "@tanstack/react-router";
import type { RunData } from "./model/recordedRun.ts";

/** What can be taken away: the recording itself, and its steps as a table. */
export function Download({ run, id }: { run: RunData; id: string }) {
  return (
    <div className="acts">
      {run.recording && (
        <button
          type="button"
          className="btn"
          onClick={() => save(`${id}.json`, JSON.stringify(run.recording), "application/json")}
        >
          Download recording
        </button>
      )}
      <button
        type="button"
        className="btn"
        disabled={run.steps.length === 0}
        onClick={() => save(`${id}-steps.csv`, stepsCsv(run), "text/csv")}
      >
        Steps as CSV
      </button>
      <Link className="btn" to="/check">
        Check a step
      </Link>
    </div>
  );
}

/** Every step as one row; the loss is what its provider reported. */
export function stepsCsv({ steps }: RunData): string {
  const rows = ["ms,fence,step,loss,smoothed,step_ms"];
  for (let i = 0; i < steps.length; i++) {
    const ms = steps.ms[i] as number;
    rows.push(
      [steps.t[i], steps.fence[i], steps.step[i], steps.loss[i], steps.smooth[i], Number.isNaN(ms) ? "" : ms].join(","),
    );
  }
  return `${rows.join("\n")}\n`;
}

export function save(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
