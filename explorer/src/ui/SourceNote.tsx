import type { EventLog } from "../chain/eventStore.ts";
import { useConfig } from "../config/ConfigContext.ts";
import { count } from "../format/number.ts";

/** Who told what stands on the page, and whether that is complete. */
export function SourceNote({ log }: { log: EventLog }) {
  const { ledger } = useConfig();
  if (log.state !== "ready") return null;
  const events = count(log.events.length);
  const host = ledger ? new URL(ledger).host : "";
  return (
    <p className="hint">
      {log.source === "ledger"
        ? `${events} events, from the ledger at ${host}.`
        : `${events} events, read by this browser from the chain.`}
      {log.ledgerProblem &&
        ` The ledger at ${host} can’t be used (${log.ledgerProblem}); nothing is missing, only slower.`}
      {log.problem && ` No news just now: ${log.problem}`}
    </p>
  );
}
