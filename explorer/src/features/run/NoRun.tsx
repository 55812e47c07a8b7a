import { Link } from "@tanstack/react-router";
import { usePageTitle } from "../../ui/usePageTitle.ts";

/** A run that can't be shown, and why. */
export function NoRun({ id, reason }: { id: string; reason: string }) {
  usePageTitle(`Run ${id}`);
  return (
    <div className="wrap page">
      <h1>No run “{id}” here</h1>
      <p className="lead" role="alert">
        {reason}
      </p>
      <p>
        It may be on another network. <Link to="/runs">See the runs here</Link>.
      </p>
    </div>
  );
}
