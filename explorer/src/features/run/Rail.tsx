import { MoneyBar } from "../../charts/MoneyBar.tsx";
import { count } from "../../format/number.ts";
import { clock, span } from "../../format/time.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { Swatch } from "../../ui/Swatch.tsx";
import { stepAt } from "./board/axis.ts";
import { splitEscrow } from "./model/money.ts";
import type { RunData } from "./model/recordedRun.ts";
import { lastStepAt } from "./model/steps.ts";
import type { LeaseInfo, RunState } from "./model/types.ts";

/** What stands at the cursor: lease, pulse, money. */
export function Rail({ run, now, t }: { run: RunData; now: RunState; t: number }) {
  const step = stepAt(run, t);
  return (
    <aside className="rail" aria-label="At the cursor">
      <p className="at">
        At <span className="num">{clock(t, true)}</span>
        {step > 0 && (
          <>
            , step <span className="num">{count(step)}</span>
          </>
        )}
      </p>
      <LeasePanel run={run} now={now} t={t} />
      <EscrowPanel run={run} now={now} />
    </aside>
  );
}

function LeasePanel({ run, now, t }: { run: RunData; now: RunState; t: number }) {
  const lease = now.leases.findLast((l) => !l.end);
  const over = now.status === "completed" || now.status === "settled";
  if (!lease || over) {
    return (
      <section>
        <h3>Lease</h3>
        <p className="big">{over ? "Job over" : now.status === "unposted" ? "Not posted yet" : "Open"}</p>
        {!over && now.openSince !== undefined && <Auction run={run} now={now} />}
      </section>
    );
  }
  const party = run.meta.parties.get(lease.provider);
  // Chain time runs on between blocks at the speed of the clock.
  const chainNow = (now.timestamp ?? 0) + (t - now.blockT) / 1000;
  const left = Math.max(0, lease.expiresAt - chainNow);
  const share = run.meta.leaseDuration > 0 ? Math.min(1, left / run.meta.leaseDuration) : 0;
  return (
    <section>
      <h3>Lease</h3>
      <p className="big">
        <Swatch kind="pv" n={party?.index ?? 0} />
        {party?.name ?? "?"} {party?.description && <span className="dim">{party.description}</span>}
      </p>
      <dl className="kv">
        <Row label="Fence" value={String(lease.fence)} />
        <Row label="Price" value={`${formatUsdc(lease.price, 4)} a step`} />
        <Row label="Not handed in yet" value={`${notHandedIn(run, now, lease, t)} steps`} />
        <Row label="Runs out in" value={left > 0 ? span(left * 1000) : "over"} />
      </dl>
      <div className="meter" aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </div>
      <Pulse run={run} now={now} lease={lease} t={t} />
    </section>
  );
}

/** The ceiling as the newest block has it: whole seconds, as the contract counts. */
function Auction({ run, now }: { run: RunData; now: RunState }) {
  const ramp = run.meta.auctionRamp;
  const passed = Math.min(ramp, Math.max(0, (now.timestamp ?? 0) - (now.openSince ?? 0)));
  const ceiling = ramp > 0 ? (run.meta.maxPrice * BigInt(passed)) / BigInt(ramp) : run.meta.maxPrice;
  return (
    <>
      <dl className="kv">
        <Row label="Price ceiling" value={formatUsdc(ceiling, 4)} />
        <Row label="Rises to" value={formatUsdc(run.meta.maxPrice, 4)} />
      </dl>
      <div className="meter" aria-hidden="true">
        <i style={{ width: `${ramp > 0 ? (passed / ramp) * 100 : 100}%` }} />
      </div>
    </>
  );
}

function notHandedIn(run: RunData, now: RunState, lease: LeaseInfo, t: number): number {
  const i = lastStepAt(run.steps, t);
  if (i < 0 || run.steps.fence[i] !== lease.fence) return 0;
  const commits = now.checkpoints.filter((c) => c.fence === lease.fence);
  return Math.max(0, (run.steps.step[i] as number) - (commits.at(-1)?.step ?? now.headStep));
}

function Pulse({ run, now, lease, t }: { run: RunData; now: RunState; lease: LeaseInfo; t: number }) {
  if (now.seats.length === 0) return null;
  const known = now.seats.some((seat) => now.pulses.has(`${seat} ${lease.provider}`));
  return (
    <>
      <h4>
        Pulse <span className="dim">evicted when two seats hear nothing for {count(run.meta.pulseTimeoutMs)} ms</span>
      </h4>
      {known ? (
        <table className="pl">
          <tbody>
            {now.seats.map((seat) => {
              const pulse = now.pulses.get(`${seat} ${lease.provider}`);
              const silent = pulse && pulse.state !== "up";
              const since = pulse ? (pulse.lastBeatT ?? pulse.since) : undefined;
              return (
                <tr key={seat}>
                  <th scope="row">{run.meta.parties.get(seat)?.name ?? "Seat"}</th>
                  <td className={silent ? "r bad" : "r"}>
                    {!pulse
                      ? "not connected"
                      : silent && since !== undefined
                        ? `silent for ${span(t - since)}`
                        : "hears it"}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      ) : (
        <p className="sub">What the seats hear isn’t on chain; their gateways haven’t told.</p>
      )}
    </>
  );
}

function EscrowPanel({ run, now }: { run: RunData; now: RunState }) {
  const split = splitEscrow(now, run.meta);
  const budget = now.money.budget;
  const settled = now.status === "settled";
  const parts = [
    { key: "paid", label: "Paid", sub: "past its dispute window", units: split.paid },
    { key: "owed", label: "Owed", sub: "accepted, window still open", units: split.owed },
    { key: "lock", label: "Locked", sub: "worst case for the rest", units: split.locked },
    settled
      ? { key: "free", label: "Refunded", sub: "back with the client", units: split.refunded }
      : { key: "free", label: "Refundable", sub: "can’t be needed any more", units: split.refundable },
  ];
  const words = parts.map((p) => `${p.label} ${formatUsdc(p.units, 3)}`).join(", ");
  return (
    <section>
      <h3>Escrow</h3>
      <MoneyBar
        className="esc"
        label={`${words} of ${formatUsdc(budget, 3)} USDC`}
        parts={parts.map((p) => ({ key: p.key, label: p.label, units: p.units, look: { className: p.key } }))}
      />
      <dl className="kv esk">
        {parts.map((p) => (
          <div key={p.key}>
            <dt>
              <i className={`sq ${p.key}`} />
              {p.label}
              <span className="sub">{p.sub}</span>
            </dt>
            <dd className="num">{formatUsdc(p.units, 3)}</dd>
          </div>
        ))}
        <div className="tot">
          <dt>Budget, USDC</dt>
          <dd className="num">{formatUsdc(budget, 3)}</dd>
        </div>
      </dl>
    </section>
  );
}

function Row({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
