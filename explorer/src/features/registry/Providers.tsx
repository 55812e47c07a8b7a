import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useEvents } from "../../chain/useEvents.ts";
import { shortHash } from "../../format/hash.ts";
import { count } from "../../format/number.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { Badge } from "../../ui/Badge.tsx";
import { SortableTable } from "../../ui/SortableTable.tsx";
import { SourceNote } from "../../ui/SourceNote.tsx";
import { usePageTitle } from "../../ui/usePageTitle.ts";
import { EventsState } from "./EventsState.tsx";
import { deviceOf, type ProviderRecord, registryRecords, reliability } from "./records.ts";

/** Who trains, at what price, and how that went. */
export function Providers() {
  usePageTitle("Providers");
  const log = useEvents();
  const { providers } = useMemo(() => registryRecords(log.events), [log.events]);
  return (
    <>
      <div className="wrap ledhead">
        <h1>Providers</h1>
        <p className="lead">
          Whoever registered a price and a bond. The record is counted from events; names and devices are their own
          word.
        </p>
      </div>
      <div className="wrap">
        <section className="sec ruled" aria-label="All providers">
          <p className="bs">
            <Badge kind="selfReported">Names and devices self-reported</Badge>
          </p>
          <EventsState log={log} what="providers" />
          {log.state === "ready" && providers.length === 0 && (
            <p className="dim">
              Nobody registered yet. <Link to="/provide">Be the first</Link>.
            </p>
          )}
          {providers.length > 0 && (
            <SortableTable
              label="Providers"
              rows={providers}
              columns={COLUMNS}
              rowKey={(p) => p.address}
              first="accepted"
            />
          )}
          <SourceNote log={log} />
        </section>
      </div>
    </>
  );
}

const state = (p: ProviderRecord) => (p.exiting ? "Leaving" : p.accepting ? "Accepting" : "Paused");

const COLUMNS = [
  {
    id: "name",
    header: "Provider",
    rowHeader: true,
    sortBy: (p: ProviderRecord) => p.name,
    cell: (p: ProviderRecord) => (
      <>
        <Link to="/providers/$address" params={{ address: p.address }}>
          {p.name || "No name"}
        </Link>
        {/* Anybody may take anybody's name: the address tells them apart. */}
        <span className="sub">
          {shortHash(p.address)} · {deviceOf(p.metadata) ?? "Device not said"}
        </span>
      </>
    ),
  },
  {
    id: "price",
    header: "USDC per step",
    right: true,
    sortBy: (p: ProviderRecord) => p.price,
    cell: (p: ProviderRecord) => formatUsdc(p.price, 4),
  },
  { id: "state", header: "State", sortBy: state, cell: state },
  {
    id: "accepted",
    header: "Steps accepted",
    right: true,
    sortBy: (p: ProviderRecord) => p.stepsAccepted,
    cell: (p: ProviderRecord) => count(p.stepsAccepted),
  },
  {
    id: "refused",
    header: "Steps refused",
    right: true,
    sortBy: (p: ProviderRecord) => p.stepsRefused,
    cell: (p: ProviderRecord) => count(p.stepsRefused),
  },
  {
    id: "kept",
    header: "Leases kept",
    right: true,
    sortBy: (p: ProviderRecord) => reliability(p) ?? -1,
    cell: (p: ProviderRecord) => (p.leases === 0 ? "–" : `${p.leases - p.dropped - p.refused} of ${p.leases}`),
  },
  {
    id: "earned",
    header: "Paid, USDC",
    right: true,
    sortBy: (p: ProviderRecord) => p.earned,
    cell: (p: ProviderRecord) => formatUsdc(p.earned, 3),
  },
  {
    id: "bond",
    header: "Bond, USDC",
    right: true,
    sortBy: (p: ProviderRecord) => p.bond,
    cell: (p: ProviderRecord) => formatUsdc(p.bond, 2),
  },
];
