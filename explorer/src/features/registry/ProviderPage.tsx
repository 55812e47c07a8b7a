import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useEvents } from "../../chain/useEvents.ts";
import { isAddress, shortHash } from "../../format/hash.ts";
import { count } from "../../format/number.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Hash } from "../../ui/Hash.tsx";
import { SourceNote } from "../../ui/SourceNote.tsx";
import { usePageTitle } from "../../ui/usePageTitle.ts";
import { openClaims } from "../ledger/model/openClaims.ts";
import { EventsState } from "./EventsState.tsx";
import { deviceOf, registryRecords } from "./records.ts";

const route = getRouteApi("/providers/$address");

/** One provider's own terms, record and open claims. */
export function ProviderPage() {
  const { address } = route.useParams();
  usePageTitle(`Provider ${shortHash(address)}`);
  const log = useEvents();
  const wanted = address.toLowerCase();
  const record = useMemo(
    () => registryRecords(log.events).providers.find((p) => p.address === wanted),
    [log.events, wanted],
  );
  const claims = useMemo(() => openClaims(log.events, wanted), [log.events, wanted]);
  if (!isAddress(wanted)) {
    return (
      <div className="wrap page">
        <h1>No such provider</h1>
        <p className="lead">That is no address.</p>
      </div>
    );
  }
  return (
    <div className="wrap page">
      <p className="crumb">
        <Link to="/providers">Providers</Link> / {shortHash(wanted)}
      </p>
      {/* Whether it is registered is known only when the events were read. */}
      <h1>{record?.name || (log.state === "ready" && !record ? "Not registered" : shortHash(wanted))}</h1>
      {record && (
        <p className="bs">
          <Badge kind="selfReported">Name and device self-reported</Badge>
        </p>
      )}
      <EventsState log={log} what="provider" />
      {log.state === "ready" && !record && <p>Nobody registered as a provider at this address.</p>}
      {record && (
        <>
          <dl className="facts">
            <Fact label="Price" value={`${formatUsdc(record.price, 4)} a step`} />
            <Fact label="State" value={record.exiting ? "Leaving" : record.accepting ? "Accepting" : "Paused"} />
            <Fact label="Device" value={deviceOf(record.metadata) ?? "not said"} />
            <Fact label="Key" value={<Hash value={record.address} />} />
            <Fact label="Pay goes to" value={<Hash value={record.payout} />} />
          </dl>
          <dl className="facts">
            <Fact label="Steps accepted" value={count(record.stepsAccepted)} />
            <Fact label="Steps refused" value={count(record.stepsRefused)} />
            <Fact label="Leases" value={`${record.leases} (${record.dropped} dropped, ${record.refused} refused)`} />
            <Fact label="Paid so far" value={`${formatUsdc(record.earned, 3)} USDC`} />
            <Fact label="Owed, not matured" value={`${formatUsdc(claims.owed, 3)} USDC`} />
            <Fact label="Bond" value={`${formatUsdc(record.bond, 2)} USDC`} />
            <Fact label="Lost from bond" value={`${formatUsdc(record.slashed, 3)} USDC`} />
          </dl>
          <h2 className="h3">Not paid, and why</h2>
          {claims.reasons.length === 0 ? (
            <p className="dim">Nothing is open.</p>
          ) : (
            <ul className="plain">
              {claims.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          )}
          <p className="go">
            <Link className="btn" to="/ledger" search={{ account: record.payout }}>
              Its money in the ledger
            </Link>
          </p>
        </>
      )}
      <SourceNote log={log} />
    </div>
  );
}

function Fact({ label, value }: { label: string; value: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="num">{value}</dd>
    </div>
  );
}
