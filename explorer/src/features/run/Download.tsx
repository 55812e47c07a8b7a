import { Link } from "@tanstack/react-router";
import { useConfig } from "../../config/ConfigContext.ts";
import { DownloadModel } from "./DownloadModel.tsx";
import type { RunData } from "./model/recordedRun.ts";
import { fateOf } from "./model/steps.ts";
import type { RunState } from "./model/types.ts";
import { save } from "./save.ts";

/** What can be taken away: the recording itself, and its steps as a table. */
export function Download({ run, now, id }: { run: RunData; now: RunState; id: string }) {
  const { gateways } = useConfig();
  const head = now.checkpoints.findLast((c) => fateOf(c.status) === "accepted");
  return (
    <div className="acts">
      {!run.recording && head && gateways.length > 0 && (
        <DownloadModel
          gateways={gateways}
          stateHash={head.stateHash}
          name={`job-${id}-step-${head.step}.safetensors`}
        />
      )}
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
