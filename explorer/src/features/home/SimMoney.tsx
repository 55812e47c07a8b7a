import { MoneyBar, type MoneyPart } from "../../charts/MoneyBar.tsx";
import { formatUsdc } from "../../format/usdc.ts";
import { Swatch } from "../../ui/Swatch.tsx";
import { whereTheMoneyIs } from "./sim/simulate.ts";
import type { ProviderId, SimState } from "./sim/types.ts";
import { INDEX } from "./simStrip.ts";

/** The client's budget, all of it, at every moment. */
export function SimMoney({ sim }: { sim: SimState }) {
  const money = whereTheMoneyIs(sim);
  const ids = sim.config.providers.map((p) => p.id);
  const waiting = ids.reduce((sum, id) => sum + money.unchecked[id], 0n);
  const who: ProviderId = sim.lease?.provider ?? sim.pending[0]?.provider ?? "A";
  const parts: MoneyPart[] = [
    ...ids.map((id) => part(id, id, money.paid[id], { kind: "pv", index: INDEX[id] } as const)),
    part("seats", "Verifiers", money.seats, { className: "seat" }),
    ...(money.fee > 0n ? [part("fee", "Fee", money.fee, { className: "feeb" })] : []),
    ...ids.map((id) => part(`w${id}`, "Not checked", money.unchecked[id], { kind: "wait", index: INDEX[id] } as const)),
    part("client", sim.phase === "running" ? "Still the client’s" : "The client’s", money.client, {
      className: "free",
    }),
  ];
  const label = parts
    .filter((p) => p.units > 0n)
    .map((p) => `${p.label} ${formatUsdc(p.units, 4)}`)
    .join(", ");
  return (
    <div className="money">
      <h3>
        Where the client’s <span className="num">{formatUsdc(sim.config.budget, 2)}</span> USDC is now
      </h3>
      <MoneyBar parts={parts} label={label} />
      <dl className="mkey">
        {ids.map((id) => (
          <Entry key={id} label={id} units={money.paid[id]} mark={<Swatch kind="pv" n={INDEX[id]} />} />
        ))}
        <Entry label="Verifiers" units={money.seats} mark={<i className="sq seat" />} />
        <Entry label="Not checked" units={waiting} mark={<Swatch kind="wait" n={INDEX[who]} />} />
        {money.fee > 0n && <Entry label="Fee" units={money.fee} mark={<i className="sq feeb" />} />}
        <Entry label="Still the client’s" units={money.client} mark={<i className="sq free" />} />
      </dl>
      {sim.seatsFromBonds > 0n && (
        <p className="sub">
          Beside it, {formatUsdc(sim.seatsFromBonds, 4)} from the refused provider’s own bond paid for checking its
          junk.
        </p>
      )}
    </div>
  );
}

const part = (key: string, label: string, units: bigint, look: MoneyPart["look"]): MoneyPart => ({
  key,
  label,
  units,
  look,
});

function Entry({ label, units, mark }: { label: string; units: bigint; mark: React.ReactNode }) {
  return (
    <div>
      <dt>
        {mark}
        {label}
      </dt>
      <dd>{formatUsdc(units, 4)}</dd>
    </div>
  );
}
