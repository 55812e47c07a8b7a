import { useEffect, useState } from "react";
import type { ChainAccess } from "../../chain/access.ts";
import type { EventLog } from "../../chain/eventStore.ts";
import { useChainRead } from "../../chain/useChainRead.ts";
import { MoneyBar } from "../../charts/MoneyBar.tsx";
import { count } from "../../format/number.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { Icon } from "../../ui/Icon.tsx";
import { NoChain } from "../../ui/NoChain.tsx";
import { rebuild, totals } from "./model/rebuild.ts";

const EVERY = 15_000;

interface Reading {
  readonly block: number;
  readonly held: bigint;
  readonly owed: bigint;
}

async function readReserves({ client }: ChainAccess): Promise<Reading> {
  const blockNumber = await client.public.getBlockNumber({ cacheTime: 0 });
  const { held, owed } = await client.read.getReserves({ blockNumber });
  return { block: Number(blockNumber), held, owed };
}

/** Held and owed as the contract has them, beside the same sum rebuilt from events up to the same block. */
export function Reserves({ log }: { log: EventLog }) {
  const { data, readAt, error, client, refresh, reading } = useChainRead(readReserves, [], EVERY);
  if (!data) {
    return (
      <section className="wrap sec tight" aria-labelledby="por-h">
        <header className="sechead row">
          <h2 id="por-h">Proof of reserves</h2>
        </header>
        {error ? <p className="bad">The escrow can’t be read: {error}</p> : <NoChain client={client} />}
      </section>
    );
  }
  const spare = data.held - data.owed;
  return (
    <section className="wrap por" aria-label="Proof of reserves">
      <Freshness data={data} readAt={readAt ?? 0} error={error} reading={reading} onRead={refresh} client={client} />
      <div>
        <table className="stmt">
          <caption>Asked of the contract</caption>
          <tbody>
            <Line label="Held" sub="USDC balance of the escrow" units={data.held} />
            <Line label="Owed" sub="to clients, providers, verifiers" units={data.owed} operator="−" />
          </tbody>
          <tfoot>
            <Line label="Left over" sub="sent in by someone directly; nobody’s" units={spare} className="res" />
          </tfoot>
        </table>
        {spare >= 0n ? (
          <p className="verdict">
            <Icon name="check" />
            Every unit owed is there.
          </p>
        ) : (
          <p className="verdict bad">
            <Icon name="cross" />
            {formatUsdc(-spare)} USDC is missing.
          </p>
        )}
      </div>
      <Rebuilt log={log} data={data} />
    </section>
  );
}

function Rebuilt({ log, data }: { log: EventLog; data: Reading }) {
  if (log.state !== "ready") {
    return (
      <p className="dim">
        {log.state === "failed" ? `Events can’t be read: ${log.problem}` : "Adding up every event …"}
      </p>
    );
  }
  // Both sides of the comparison must speak of the same block.
  const upTo = log.events.filter((event) => event.block <= data.block);
  const books = rebuild(upTo);
  const sums = totals(books);
  const behind = log.throughBlock < data.block;
  const difference = data.owed - sums.owed;
  const parts = [
    { key: "lock", label: "Locked in jobs", units: sums.locked },
    { key: "owed", label: "Ready to withdraw", units: sums.claimable },
    { key: "bond", label: "Bonds", units: sums.bonds },
  ];
  return (
    <>
      <div>
        <table className="stmt b">
          <caption>Rebuilt from {count(books.events)} events</caption>
          <tbody>
            {parts.map((p) => (
              <Line key={p.key} label={p.label} units={p.units} />
            ))}
            <Line label="Owed, by our count" units={sums.owed} className="sum" />
            <Line label="Difference from the contract" units={difference} className="res" />
          </tbody>
        </table>
        {difference !== 0n && (
          <p className={behind ? "hint" : "verdict bad"}>
            {behind
              ? `The events reach block ${count(log.throughBlock)} only; the difference closes when they catch up.`
              : "The two don’t agree. Don’t rely on this page’s journal until they do."}
          </p>
        )}
      </div>
      <div className="pbars">
        <div className="pbar">
          <span>Held</span>
          <MoneyBar
            label={`Held ${formatUsdc(data.held)}`}
            parts={[{ key: "held", label: "Held", units: data.held, look: { className: "held" } }]}
          />
        </div>
        <div className="pbar">
          <span>Owed</span>
          <MoneyBar
            label={parts.map((p) => `${p.label} ${formatUsdc(p.units)}`).join(", ")}
            parts={[
              ...parts.map((p) => ({ ...p, look: { className: p.key } })),
              {
                key: "none",
                label: "Left over",
                units: data.held > sums.owed ? data.held - sums.owed : 0n,
                look: { className: "spare" },
              },
            ]}
          />
        </div>
        <ul className="legend">
          {parts.map((p) => (
            <li key={p.key}>
              <i className={`sq ${p.key}`} />
              {p.label}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function Line(props: { label: string; sub?: string; units: bigint; operator?: string; className?: string }) {
  return (
    <tr className={props.className}>
      <th scope="row">
        {props.label}
        {props.sub && <span className="sub">{props.sub}</span>}
      </th>
      <td className="num">
        {props.operator && <span className="op">{props.operator}</span>}
        {formatUsdc(props.units)}
      </td>
    </tr>
  );
}

function Freshness(props: {
  data: Reading;
  readAt: number;
  error: string | undefined;
  reading: boolean;
  onRead: () => void;
  client: ReturnType<typeof useChainRead>["client"];
}) {
  const { data, readAt, error, reading, onRead, client } = props;
  const now = useSecond();
  const age = Math.max(0, Math.round((now - readAt) / 1000));
  const next = Math.max(0, Math.round((readAt + EVERY - now) / 1000));
  const share = Math.min(1, Math.max(0, (now - readAt) / EVERY));
  const chain = client.state === "ready" ? client.chain : undefined;
  return (
    <div className="fresh">
      <p>
        <span className="ringp" aria-hidden="true">
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <circle cx="10" cy="10" r="8" />
            <circle className="on" cx="10" cy="10" r="8" strokeDasharray={`${(1 - share) * 50.27} 50.27`} />
          </svg>
        </span>
        <span>
          Read by your browser <b className="num">{age} s ago</b> at block <b className="num">{count(data.block)}</b>.{" "}
          {error ? `The last try failed: ${error}.` : reading ? "Reading …" : `Again in ${next} s.`}
        </span>
      </p>
      <button type="button" className="btn sm" onClick={onRead}>
        Read now
      </button>
      {chain && (
        <details>
          <summary>Do it yourself</summary>
          <code>
            cast call {chain.deployment.contracts.escrow} "reserves()(uint256,uint256)" --rpc-url {chain.rpc}
          </code>
        </details>
      )}
    </div>
  );
}

function useSecond(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
