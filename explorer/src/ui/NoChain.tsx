import { Link } from "@tanstack/react-router";
import type { ClientState } from "../chain/useClient.ts";

/** Why a page has nothing from the chain to show. */
export function NoChain({ client }: { client: ClientState }) {
  if (client.state === "none") {
    return (
      <p className="dim">
        This site has no chain behind it, so there is nothing to read. <code>npm run devnet</code> starts one;{" "}
        <Link to="/runs">recorded runs</Link> work without.
      </p>
    );
  }
  if (client.state === "failed") {
    return (
      <p className="bad" role="alert">
        The chain can’t be read: {client.reason} <Link to="/status">What to do</Link>
      </p>
    );
  }
  return <p role="status">Asking the chain …</p>;
}
