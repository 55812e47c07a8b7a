import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useEvents } from "../../chain/useEvents.ts";
import { count } from "../../format/number.ts";
import { formatDay, formatTime } from "../../format/time.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { SourceNote } from "../../ui/SourceNote.tsx";
import { selfNames } from "../ledger/model/journal.ts";
import { type JobRow, jobRows } from "./jobRows.ts";

/** Every job of this chain, newest first. */
export function LiveRuns() {
  const log = useEvents();
  const rows = useMemo(() => jobRows(log.events).reverse(), [log.events]);
  const names = useMemo(() => selfNames(log.events), [log.events]);
  if (log.state === "none") return null;
  return (
    <section className="wrap sec tight" aria-labelledby="live-h">
      <header className="sechead row">
        <h2 id="live-h">On this chain</h2>
      </header>
      {log.state === "loading" && <p role="status">Reading every job …</p>}
      {log.state === "failed" && (
        <p className="bad" role="alert">
          Jobs can’t be read: {log.problem} <Link to="/status">What to do</Link>
        </p>
      )}
      {log.state === "ready" && rows.length === 0 && <p className="dim">No job was posted yet.</p>}
      {rows.length > 0 && (
        <table className="tab runs">
          <thead>
            <tr>
              <th>Run</th>
              <th>Posted</th>
              <th className="r">In the model</th>
              <th>State</th>
              <th className="r">Hand-overs</th>
              <th className="r">Budget, USDC</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td className="rn">
                  <Link to="/runs/$id" params={{ id: row.id }}>
                    Job {row.id}
                  </Link>
                </td>
                <td data-h="Posted">
                  {row.postedAt === undefined
                    ? `block ${count(row.block)}`
                    : `${formatDay(new Date(row.postedAt * 1000))}, ${formatTime(row.postedAt)}`}
                </td>
                <td className="num r" data-h="In the model">
                  {count(row.accepted)} of {count(row.steps)}
                </td>
                <td data-h="State">{state(row, row.holder && (names.get(row.holder)?.name ?? row.holder))}</td>
                <td className="num r" data-h="Hand-overs">
                  {row.handOvers}
                </td>
                <td className="num r" data-h="Budget, USDC">
                  {formatUsdc(row.budget, 2)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <SourceNote log={log} />
    </section>
  );
}

function state(row: JobRow, holder: string | undefined): string {
  switch (row.status) {
    case "open":
      return holder ? `Training: ${holder}` : "Open, waiting for a provider";
    case "draining":
      return "Cancelled, draining";
    case "closing":
      return "Closing";
    case "completed":
      return "Trained, maturing";
    case "settled":
      return row.accepted >= row.steps ? "Finished, paid out" : "Closed, paid out";
  }
}
