import { Link } from "@tanstack/react-router";
import type { EventLog } from "../../chain/eventStore.ts";

/** Loading, offline and failed, for pages made from events. */
export function EventsState({ log, what }: { log: EventLog; what: string }) {
  if (log.state === "loading") return <p role="status">Reading {what} …</p>;
  if (log.state === "none") {
    return (
      <p className="dim">
        This site has no chain behind it, so it knows no {what}. <code>npm run devnet</code> starts one.
      </p>
    );
  }
  if (log.state === "failed") {
    return (
      <p className="bad" role="alert">
        The {what} can’t be read: {log.problem} <Link to="/status">What to do</Link>
      </p>
    );
  }
  return null;
}
