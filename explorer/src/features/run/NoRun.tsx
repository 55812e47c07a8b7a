import { Link } from "@tanstack/react-router";
import { usePageTitle } from "../../ui/usePageTitle.ts";

/** A run that can't be shown, and why. */
export function NoRun({ id, reason, unreadable = false }: { id: string; reason: string; unreadable?: boolean }) {
  usePageTitle(`Run ${id}`);
  return (
    <div className="wrap page">
      <h1>{unreadable ? `Run ${id} can’t be read just now` : `No run “${id}” here`}</h1>
      <p className="lead" role="alert">
        {reason}
      </p>
      {unreadable ? (
        <p>
          <Link to="/status">What to do</Link>. <Link to="/runs">Recorded runs</Link> play meanwhile.
        </p>
      ) : (
        <p>
          It may be on another network. <Link to="/runs">See the runs here</Link>.
        </p>
      )}
    </div>
  );
}
