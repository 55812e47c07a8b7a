import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useEvents } from "../../chain/useEvents.ts";
import { useConfig } from "../../config/ConfigContext.ts";
import { isAddress } from "../../format/hash.ts";
import { count, plural } from "../../format/number.ts";
import { formatUsdc, parseUsdc } from "../../format/usdc.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Command } from "../../ui/Command.tsx";
import { SourceNote } from "../../ui/SourceNote.tsx";
import { usePageTitle } from "../../ui/usePageTitle.ts";
import { save } from "../run/save.ts";
import { demandAt } from "./estimate.ts";
import { MARKET_RATES } from "./marketRates.ts";
import { nodeCommand } from "./nodeCommand.ts";

/** Name and price in, one command out; what it would earn, said as the estimate it is. */
export function Provide() {
  usePageTitle("Provide compute");
  const config = useConfig();
  const [name, setName] = useState("garage 3060");
  const [price, setPrice] = useState("0.002");
  const [rate, setRate] = useState("2");
  const units = parseUsdc(price);
  return (
    <>
      <div className="wrap ledhead">
        <h1>Rent out your GPU</h1>
        <p className="lead">
          Your machine trains, hands in a checkpoint every few steps, and is paid for each step that passes. It connects
          outwards only; nobody logs in to it, and no stranger’s code runs on it.
        </p>
      </div>
      <section className="wrap sec tight" aria-labelledby="cmd-h">
        <header className="sechead row">
          <h2 id="cmd-h">One command</h2>
          <p>
            In a clone of the repository, after <code>npm run build</code>. It makes its own key, registers your price
            and a bond, and looks for work.
          </p>
        </header>
        <div className="formrow">
          <Field label="Name, shown to everybody" value={name} onChange={setName} />
          <Field
            label="Price, USDC a step"
            value={price}
            onChange={setPrice}
            error={units === undefined || units === 0n ? "At least 0.000001" : undefined}
          />
        </div>
        <Command text={nodeCommand({ name, price, rpc: config.rpc[0] })} />
        <p className="hint">
          {config.deployment !== undefined && (
            <button
              type="button"
              className="linkb"
              onClick={() =>
                save("deployment.json", JSON.stringify(config.deployment, undefined, 2), "application/json")
              }
            >
              Save deployment.json for {config.name}
            </button>
          )}
          {config.deployment === undefined &&
            "This site has no network behind it; on one, the command comes filled in."}{" "}
          On a test network the bond comes from a faucet. Pay can go to another wallet: add{" "}
          <code className="option">--payout ADDRESS</code>.
        </p>
      </section>
      <Earnings price={units ?? 0n} rate={rate} onRate={setRate} />
      <MyNode />
    </>
  );
}

function Field(props: { label: string; value: string; onChange: (value: string) => void; error?: string | undefined }) {
  return (
    <label className="stack">
      {props.label}
      <input
        value={props.value}
        spellCheck={false}
        aria-invalid={props.error !== undefined}
        onChange={(event) => props.onChange(event.target.value)}
      />
      {props.error && <span className="bad">{props.error}</span>}
    </label>
  );
}

function Earnings({ price, rate, onRate }: { price: bigint; rate: string; onRate: (rate: string) => void }) {
  const log = useEvents();
  const demand = useMemo(() => demandAt(log.events, price), [log.events, price]);
  const speed = Number(rate);
  const valid = Number.isFinite(speed) && speed > 0 && speed < 1e6;
  const hourly = valid ? (price * BigInt(Math.round(speed * 3_600_000))) / 1000n : 0n;
  return (
    <section className="wrap sec tight" aria-labelledby="earn-h">
      <header className="sechead row">
        <h2 id="earn-h">What it would earn</h2>
        <Badge kind="estimate">Estimate, from your own numbers and today’s demand</Badge>
      </header>
      <div className="formrow">
        <Field
          label="Your machine’s steps a second (you measure it)"
          value={rate}
          onChange={onRate}
          error={valid ? undefined : "A number above zero"}
        />
      </div>
      <dl className="facts">
        <div>
          <dt>While it holds a lease</dt>
          <dd className="num">{formatUsdc(hourly, 2)} USDC an hour</dd>
        </div>
        <div>
          <dt>Most from today’s open jobs</dt>
          <dd className="num">
            {log.state === "ready"
              ? `${formatUsdc(price * BigInt(demand.stepsAtPrice), 3)} USDC`
              : "unknown without a chain"}
          </dd>
        </div>
        <div>
          <dt>Providers asking less</dt>
          <dd className="num">{log.state === "ready" ? count(demand.cheaper) : "unknown"}</dd>
        </div>
      </dl>
      <p className="hint">
        {log.state === "ready"
          ? `${plural(demand.openJobs, "open job")}, ${plural(demand.stepsLeft, "step")} left, ${count(demand.stepsAtPrice)} of them at your price or above. Whoever asks less goes first, refused work pays nothing, and electricity is yours to subtract.`
          : "An hour of leases is not an hour of demand: whoever asks less goes first."}
      </p>
      <h3>Beside the market</h3>
      <table className="tab rates">
        <thead>
          <tr>
            <th>Card</th>
            <th>Rented for, USD an hour</th>
            <th>How</th>
            <th>As of</th>
            <th>Source</th>
          </tr>
        </thead>
        <tbody>
          {MARKET_RATES.map((r) => (
            <tr key={`${r.card} ${r.how}`}>
              <th scope="row">{r.card}</th>
              <td className="num" data-h="USD an hour">
                {r.usdPerHour}
              </td>
              <td data-h="How">{r.how}</td>
              <td data-h="As of">{r.asOf}</td>
              <td data-h="Source">
                <a href={r.source} rel="noreferrer">
                  {new URL(r.source).host}
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="hint">
        Others’ published figures for a market that pays by the hour; we didn’t measure them, and they move daily.
      </p>
      <SourceNote log={log} />
    </section>
  );
}

/** A node's own page is its provider page; here is the way there. */
function MyNode() {
  const navigate = useNavigate();
  const [address, setAddress] = useState("");
  const [wrong, setWrong] = useState(false);
  return (
    <section className="wrap sec tight" aria-labelledby="node-h">
      <header className="sechead row">
        <h2 id="node-h">My node</h2>
        <p>State, earnings, and unpaid work with the reason. The address is what your node printed when it started.</p>
      </header>
      <form
        className="field"
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = address.trim();
          setWrong(!isAddress(wanted));
          if (isAddress(wanted)) void navigate({ to: "/providers/$address", params: { address: wanted } });
        }}
      >
        <input
          aria-label="My node’s address"
          placeholder="0x…"
          spellCheck={false}
          value={address}
          aria-invalid={wrong}
          onChange={(event) => setAddress(event.target.value)}
        />
        <button type="submit" className="btn">
          Show
        </button>
      </form>
      {wrong && (
        <p className="bad" role="alert">
          That is no address: 0x and 40 hexadecimal digits.
        </p>
      )}
      <p className="hint">
        Or look it up among <Link to="/providers">all providers</Link>.
      </p>
    </section>
  );
}
