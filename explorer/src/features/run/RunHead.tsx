import { Link } from "@tanstack/react-router";
import { count } from "../../format/number.ts";
import { clock, formatDay } from "../../format/time.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Hash } from "../../ui/Hash.tsx";
import { Download } from "./Download.tsx";
import type { RunData } from "./model/recordedRun.ts";
import { name } from "./model/say.ts";
import type { RunState } from "./model/types.ts";

/** What this run is, how far to believe it, and its state at the cursor. */
export function RunHead({ run, now, t, id }: { run: RunData; now: RunState; t: number; id: string }) {
  const { meta } = run;
  return (
    <div className="wrap runhead">
      <p className="crumb">
        <Link to="/runs">Runs</Link> / {id}
      </p>
      <div className="rh">
        <div>
          <h1>{meta.title}</h1>
          <p className="bs">
            {run.badges.map(({ kind, text }) => (
              <Badge key={kind} kind={kind}>
                {kind === "recorded" ? `Recorded ${formatDay(run.startedAt)}, not happening now` : text}
              </Badge>
            ))}
          </p>
        </div>
        <Download run={run} now={now} id={id} />
      </div>
      <dl className="facts">
        <Fact label={`State at ${clock(t)}`} value={stateInWords(run, now)} />
        <Fact label="In the model" value={`${count(now.headStep)} of ${count(meta.steps)}`} />
        <Fact label="Budget" value={`${formatUsdc(meta.budget, 3)} USDC`} />
        <Fact label="Top price" value={`${formatUsdc(meta.maxPrice, 4)} a step`} />
        <Fact label="Checkpoint" value={`every ${count(meta.interval)}`} />
        <Fact label="Client" value={<Hash value={meta.client} />} />
        <Fact label="Spec" value={<Hash value={meta.specHash} />} />
      </dl>
    </div>
  );
}

function stateInWords(run: RunData, now: RunState): string {
  const lease = now.leases.findLast((l) => !l.end);
  switch (now.status) {
    case "unposted":
      return "Not posted yet";
    case "open":
      return lease ? `Open, ${name(run.meta, lease.provider)} training` : "Open, waiting for a provider";
    case "draining":
      return "Draining";
    case "closing":
      return "Closing";
    case "completed":
      return "Trained, maturing";
    case "settled":
      return now.headStep >= run.meta.steps ? "Finished, paid out" : "Closed, paid out";
  }
}

function Fact({ label, value }: { label: string; value: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="num">{value}</dd>
    </div>
  );
}
