import { useEffect, useMemo, useState } from "react";
import { useClient } from "../../chain/useClient.ts";
import { useEvents } from "../../chain/useEvents.ts";
import { useHead, useRefreshHead } from "../../chain/useHead.ts";
import { useConfig } from "../../config/ConfigContext.ts";
import { count } from "../../format/number.ts";
import { span } from "../../format/time.ts";
import { Hash } from "../../ui/Hash.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { usePageTitle } from "../../ui/usePageTitle.ts";
import { registryRecords } from "../registry/records.ts";
import { type LedgerStatus, readLedgerStatus } from "./readLedgerStatus.ts";

const ASK_MS = 15_000;

type Health = "ok" | "bad" | "none" | "wait";

/** What answers, what doesn't, what still works, and what to do. */
export function Status() {
  usePageTitle("Status");
  const config = useConfig();
  return (
    <>
      <div className="wrap ledhead">
        <h1>Status</h1>
        <p className="lead">
          What this page could reach just now, from your browser. With the ledger down the site reads the chain; with
          the chain down, recordings still play.
        </p>
      </div>
      <div className="wrap">
        <section className="sec ruled" aria-label="Parts">
          <table className="tab parts">
            <thead>
              <tr>
                <th>Part</th>
                <th>State</th>
                <th>Details</th>
                <th>When it is down</th>
              </tr>
            </thead>
            <tbody>
              <ChainRow />
              <ContractsRow />
              <LedgerRow />
              {config.gateways.map((gateway) => (
                <GatewayRow key={gateway} gateway={gateway} />
              ))}
              {config.gateways.length === 0 && (
                <Row
                  part="Gateways"
                  health="none"
                  state="Not configured"
                  details="Losses, pulses and evidence come from them."
                  down="Runs show what is on chain."
                />
              )}
              <VerifiersRow />
            </tbody>
          </table>
        </section>
      </div>
    </>
  );
}

const ICON = { ok: "check", bad: "cross", none: "ring", wait: "dots" } as const;

function Row(props: { part: string; health: Health; state: string; details: React.ReactNode; down: string }) {
  return (
    <tr className={props.health === "bad" ? "isbad" : undefined}>
      <th scope="row">{props.part}</th>
      <td className={props.health === "bad" ? "bad" : undefined} data-h="State">
        <div>
          <Icon name={ICON[props.health]} className={props.health === "ok" ? "ok" : ""} /> {props.state}
        </div>
      </td>
      <td data-h="Details">
        <div>{props.details}</div>
      </td>
      <td data-h="When down">{props.down}</td>
    </tr>
  );
}

function ChainRow() {
  const config = useConfig();
  const head = useHead();
  const refresh = useRefreshHead();
  const states = {
    none: ["none", "Not configured"],
    connecting: ["wait", "Asking"],
    ok: ["ok", "Answers"],
    stalled: ["bad", "Answers, but no new block"],
    down: ["bad", "No answer"],
    "wrong-chain": ["bad", "Wrong chain"],
  } as const;
  const [health, state] = states[head.health];
  const age = head.timestamp === undefined ? undefined : Date.now() - head.timestamp * 1000;
  return (
    <Row
      part={`Chain: ${config.name}`}
      health={health}
      state={state}
      details={
        <>
          {head.block !== undefined &&
            `Block ${count(head.block)}${age !== undefined && age >= 0 ? `, made ${span(age)} ago` : ""}. `}
          {head.rpc && `RPC in use: ${new URL(head.rpc).host}. `}
          {head.problem && `${head.problem} `}
          {head.health !== "none" && (
            <button type="button" className="linkb" onClick={refresh}>
              Ask again
            </button>
          )}
        </>
      }
      down="Nothing of yours is lost: the contracts hold it. Try another RPC in config.json; on a local chain, is npm run devnet still running? Recordings play meanwhile."
    />
  );
}

function ContractsRow() {
  const client = useClient();
  const states = {
    none: ["none", "Not configured"],
    loading: ["wait", "Asking"],
    failed: ["bad", "Can’t be read"],
    ready: ["ok", "Found"],
  } as const;
  const [health, state] = states[client.state];
  return (
    <Row
      part="Contracts"
      health={health}
      state={state}
      details={
        client.state === "ready" ? (
          <>
            Escrow <Hash value={client.chain.deployment.contracts.escrow} />, protocol version{" "}
            {client.chain.deployment.protocolVersion}
          </>
        ) : client.state === "failed" ? (
          client.reason
        ) : (
          ""
        )
      }
      down="The deployment in config.json belongs to another chain or version. After a local chain was made anew, restart whatever serves this site."
    />
  );
}

function LedgerRow() {
  const { ledger } = useConfig();
  const log = useEvents();
  const status = useLedgerStatus(ledger);
  if (!ledger) {
    return (
      <Row
        part="Ledger"
        health="none"
        state="Not configured"
        details={
          log.source === "chain" ? `This browser reads the chain instead: ${count(log.events.length)} events.` : ""
        }
        down="Everything still works, read from the chain."
      />
    );
  }
  const bad = log.ledgerProblem ?? status.problem;
  const asking = status.block === undefined;
  const lag =
    status.blocksBehind === undefined
      ? ""
      : `, ${count(status.blocksBehind)} blocks (${status.secondsBehind} s) behind the chain`;
  return (
    <Row
      part="Ledger"
      health={bad || status.audit?.includes("FAILS") ? "bad" : asking ? "wait" : "ok"}
      state={bad ? "Can’t be used" : asking ? "Asking" : "Answers"}
      details={
        bad
          ? `${bad}.${log.source === "chain" && log.state === "ready" ? ` Read from the chain instead: ${count(log.events.length)} events.` : ""}`
          : asking
            ? ""
            : `Indexed to block ${count(status.block ?? 0)}${lag}. ${status.audit ?? ""}`
      }
      down="History is read from the chain by this browser, only slower. How to start it stands in indexer/README.md."
    />
  );
}

/** How far the ledger has got and what its own audit says, every 15 s. */
function useLedgerStatus(ledger: string | undefined): LedgerStatus {
  const [status, setStatus] = useState<LedgerStatus>({});
  useEffect(() => {
    if (!ledger) return;
    let gone = false;
    const read = async () => {
      try {
        const response = await fetch(`${ledger}/api/status`, { signal: AbortSignal.timeout(8_000) });
        if (!response.ok) throw new Error(`it answered ${response.status}`);
        const told = readLedgerStatus(await response.json());
        if (!gone) setStatus(told);
      } catch (error) {
        if (!gone) setStatus({ problem: error instanceof Error ? error.message : String(error) });
      }
    };
    void read();
    const timer = setInterval(() => void read(), ASK_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [ledger]);
  return status;
}

function GatewayRow({ gateway }: { gateway: string }) {
  const [state, setState] = useState<{ health: Health; text: string }>({ health: "wait", text: "Asking" });
  useEffect(() => {
    let gone = false;
    const ask = () =>
      fetch(`${gateway}/healthz`, { signal: AbortSignal.timeout(8_000) }).then(
        (r) =>
          !gone && setState(r.ok ? { health: "ok", text: "Answers" } : { health: "bad", text: `Says ${r.status}` }),
        () => !gone && setState({ health: "bad", text: "No answer" }),
      );
    void ask();
    const timer = setInterval(() => void ask(), ASK_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [gateway]);
  return (
    <Row
      part={`Gateway ${new URL(gateway).host}`}
      health={state.health}
      state={state.text}
      details="Losses, pulses and evidence of the runs it has a seat on."
      down="Two of three seats are enough to judge. Runs show what is on chain."
    />
  );
}

function VerifiersRow() {
  const log = useEvents();
  const { verifiers } = useMemo(() => registryRecords(log.events), [log.events]);
  if (log.state !== "ready") return null;
  const active = verifiers.filter((v) => v.status === "active").length;
  return (
    <Row
      part="Verifiers"
      health={active >= 3 ? "ok" : "bad"}
      state={`${active} active`}
      details={active >= 3 ? "Enough to seat a job." : "A job needs three before anybody can take it."}
      down="Open jobs wait; nothing is lost. With all of them silent, leases expire by themselves and a job can be closed."
    />
  );
}
