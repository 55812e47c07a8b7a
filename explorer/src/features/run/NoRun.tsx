import { Link } from "@tanstack/react-router";
import { usePageTitle } from "../../ui/usePageTitle.ts";

type Kind = "none" | "unreadable" | "damaged";

const HEADING: Readonly<Record<Kind, (id: string) => string>> = {
  none: (id) => `No run “${id}” here`,
  unreadable: (id) => `Run ${id} can’t be read just now`,
  damaged: (id) => `The recording “${id}” can’t be replayed`,
};

/** A run that can't be shown, and why. */
export function NoRun({ id, reason, kind = "none" }: { id: string; reason: string; kind?: Kind }) {
  usePageTitle(`Run ${id}`);
  return (
    <div className="wrap page">
      <h1>{HEADING[kind](id)}</h1>
      <p className="lead" role="alert">
        {reason}
      </p>
      {kind === "unreadable" ? (
        <p>
          <Link to="/status">What to do</Link>. <Link to="/runs">Recorded runs</Link> play meanwhile.
        </p>
      ) : (
        <p>
          {kind === "none" ? "It may be on another network." : "Its file may be damaged, or another version’s."}{" "}
          <Link to="/runs">See the runs here</Link>.
        </p>
      )}
    </div>
  );
}
