import { Link } from "@tanstack/react-router";
import { usePageTitle } from "./usePageTitle.ts";

export function NotFound() {
  usePageTitle("No such page");
  return (
    <div className="wrap page">
      <h1>No such page</h1>
      <p className="lead">
        The address may be of a run on another network. <Link to="/runs">See the runs here</Link>.
      </p>
    </div>
  );
}
