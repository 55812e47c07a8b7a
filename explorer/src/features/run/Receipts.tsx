import { count, plural } from "../../format/number.ts";
import { clock, span } from "../../format/time.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { receiptsOf } from "./model/receipts.ts";
import type { RunData } from "./model/recordedRun.ts";
import { name } from "./model/say.ts";
import { fateOf } from "./model/steps.ts";
import type { Receipt, RunState } from "./model/types.ts";

const PHASE_NAMES: Readonly<Record<string, string>> = { firstStep: "first step", open: "waiting for a bid" };

/** Each hand-over as a bill: why, how long each phase took to scale, what it cost. */
export function Receipts({ run, now }: { run: RunData; now: RunState }) {
  const shown = receiptsOf(run, now);
  return (
    <section className="wrap sec tight" aria-labelledby="r-h">
      <header className="sechead row">
        <h2 id="r-h">Recovery receipts</h2>
        <p>
          {shown.length > 0 &&
            (shown.some((r) => r.told)
              ? "Measured by the workers; checkable against events."
              : "Worked out from events and reported steps.")}
        </p>
      </header>
      {shown.length === 0 ? (
        <p className="dim">No hand-over so far.</p>
      ) : (
        <div className="rcpts">
          {shown.map((receipt) => (
            <ReceiptCard key={receipt.fence} receipt={receipt} run={run} now={now} />
          ))}
        </div>
      )}
    </section>
  );
}

function ReceiptCard({ receipt: r, run, now }: { receipt: Receipt; run: RunData; now: RunState }) {
  const total = r.phases.reduce((sum, phase) => sum + phase.ms, 0);
  const from = name(run.meta, r.from);
  const to = r.to && name(run.meta, r.to);
  const first = r.phases[0]?.name === "silent" ? 0 : 1;
  const look = (i: number) => `ph${Math.min(3, i + first)}`;
  return (
    <article className="rcpt">
      <header>
        <h3>
          {to ? `${from} to ${to} in ` : `From ${from}: nobody yet, since ${clock(r.t)}`}
          {to && <span className="num">{span(total)}</span>}
        </h3>
        <p>{why(r, run, now, from)}</p>
      </header>
      {total > 0 && (
        <>
          <div className="scale" aria-hidden="true">
            {r.phases.map((phase, i) => (
              <span key={phase.name} className={look(i)} style={{ width: `${(phase.ms / total) * 100}%` }} />
            ))}
          </div>
          <dl className="phl">
            {r.phases.map((phase, i) => (
              <div key={phase.name}>
                <dt>
                  <i className={`sq ${look(i)}`} />
                  {phase.name === "acquired" ? `${to} acquires` : (PHASE_NAMES[phase.name] ?? phase.name)}
                </dt>
                <dd className="num">{span(phase.ms)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <p className="rf">{cost(r, run, now, from)}</p>
    </article>
  );
}

function why(r: Receipt, run: RunData, now: RunState, from: string): string {
  const at = r.atStep === undefined ? "" : ` at step ${r.atStep}`;
  const killed = now.faults.some((f) => f.party === r.from && f.fault === "kill" && f.t <= r.t);
  const kept = now.checkpoints.filter((c) => c.provider === r.from && (c.status === "accepted" || c.status === "paid"));
  const steps = kept.reduce((n, c) => n + c.step - c.from, 0);
  switch (r.cause) {
    case "evicted":
      return `${killed ? "Killed" : "Silent"}${at}. On chain nobody is at fault: ${from} keeps its pay for ${plural(steps, "step")}.`;
    case "refused":
      return `${refusedSteps(r, now)} ${from} is barred from this job.`;
    case "unavailable":
      return `Its bytes were not to be had${at}. It must wait before it may come back.`;
    case "expired":
      return `The lease ran out${at}; anyone could see it.`;
    case "stalled":
      return `No checkpoint within ${span(run.meta.segmentTimeout * 1000)}.`;
    default:
      return `The lease ended${at}.`;
  }
}

const refusedOf = (r: Receipt, now: RunState) =>
  now.checkpoints.filter((c) => c.fence === r.fence && fateOf(c.status) === "refused");

function refusedSteps(r: Receipt, now: RunState): string {
  const steps = refusedOf(r, now).map((c) => count(c.step));
  return steps.length > 0 ? `Step ${steps.join(", ")} doesn’t replay.` : "Refused.";
}

function cost(r: Receipt, run: RunData, now: RunState, from: string): string {
  const refused = refusedOf(r, now).reduce((sum, c) => sum + c.step - c.from, 0);
  const lost = r.stepsLost === undefined ? undefined : r.stepsLost - refused;
  const words = [
    refused > 0 ? `${plural(refused, "step")} refused` : "",
    lost === undefined || (refused > 0 && lost <= 0)
      ? ""
      : refused > 0
        ? `${count(lost)} more lost`
        : `${plural(lost, "step")} lost`,
  ].filter(Boolean);
  const steps = words.length > 0 ? `${words.join(", ")}. ` : "";
  const slashed = now.money.slashed.filter((s) => s.account === r.from && s.at.t >= r.t - 60_000);
  const amount = slashed.reduce((sum, s) => sum + s.amount, 0n);
  if (amount > 0n) return `${steps}${formatUsdc(amount, 3)} USDC left ${from}’s bond.`;
  if (r.cause === "refused") {
    return `${steps}${formatUsdc(3n * run.meta.verifierFee, 3)} USDC of ${from}’s bond pays the round once the appeal window is over.`;
  }
  return `${steps}No money moved.`;
}
