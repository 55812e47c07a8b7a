import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useEvents } from "../../chain/useEvents.ts";
import { count } from "../../format/number.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Hash } from "../../ui/Hash.tsx";
import { SortableTable } from "../../ui/SortableTable.tsx";
import { SourceNote } from "../../ui/SourceNote.tsx";
import { usePageTitle } from "../../ui/usePageTitle.ts";
import { EventsState } from "./EventsState.tsx";
import { registryRecords, type VerifierRecord } from "./records.ts";

/** Who judges, what it has at stake, and how often the others disagreed with it. */
export function Verifiers() {
  usePageTitle("Verifiers");
  const log = useEvents();
  const { verifiers } = useMemo(() => registryRecords(log.events), [log.events]);
  return (
    <>
      <div className="wrap ledhead">
        <h1>Verifiers</h1>
        <p className="lead">
          Three are drawn for each job by a block hash. Two equal votes decide. A dishonest vote costs part of the bond,
          two different ones all of it.
        </p>
      </div>
      <div className="wrap">
        <section className="sec ruled" aria-label="All verifiers">
          <p className="bs">
            <Badge kind="selfReported">Endpoints self-reported</Badge>
          </p>
          <EventsState log={log} what="verifiers" />
          {log.state === "ready" && verifiers.length < 3 && (
            <p className={verifiers.length === 0 ? "dim" : "bad"}>
              {verifiers.length === 0 ? "None registered yet." : `Only ${verifiers.length} registered.`} A job needs
              three before anybody can take it.
            </p>
          )}
          {verifiers.length > 0 && (
            <SortableTable
              label="Verifiers"
              rows={verifiers}
              columns={COLUMNS}
              rowKey={(v) => v.address}
              first="votes"
            />
          )}
          <p className="hint">
            What two colluding seats could do stands under <Link to="/honestly">What doesn’t work yet</Link>.
          </p>
          <SourceNote log={log} />
        </section>
      </div>
    </>
  );
}

const COLUMNS = [
  {
    id: "id",
    header: "Verifier",
    rowHeader: true,
    sortBy: (v: VerifierRecord) => v.id,
    cell: (v: VerifierRecord) => (
      <>
        Verifier {v.id} <Hash value={v.address} />
        <span className="sub">{v.endpoint || "No endpoint"}</span>
      </>
    ),
  },
  {
    id: "status",
    header: "State",
    sortBy: (v: VerifierRecord) => v.status,
    cell: (v: VerifierRecord) => v.status.charAt(0).toUpperCase() + v.status.slice(1),
  },
  {
    id: "fee",
    header: "Least fee a vote, USDC",
    right: true,
    sortBy: (v: VerifierRecord) => v.minFee,
    cell: (v: VerifierRecord) => formatUsdc(v.minFee, 3),
  },
  {
    id: "seats",
    header: "Jobs judged",
    right: true,
    sortBy: (v: VerifierRecord) => v.seats,
    cell: (v: VerifierRecord) => count(v.seats),
  },
  {
    id: "votes",
    header: "Votes",
    right: true,
    sortBy: (v: VerifierRecord) => v.votes,
    cell: (v: VerifierRecord) => count(v.votes),
  },
  {
    id: "against",
    header: "Against the decision",
    right: true,
    sortBy: (v: VerifierRecord) => v.disagreements,
    cell: (v: VerifierRecord) => count(v.disagreements),
  },
  {
    id: "earned",
    header: "Fees paid, USDC",
    right: true,
    sortBy: (v: VerifierRecord) => v.earned,
    cell: (v: VerifierRecord) => formatUsdc(v.earned, 3),
  },
  {
    id: "bond",
    header: "Bond, USDC",
    right: true,
    sortBy: (v: VerifierRecord) => v.bond,
    cell: (v: VerifierRecord) => formatUsdc(v.bond, 2),
  },
];
