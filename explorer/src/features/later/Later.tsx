import { Link } from "@tanstack/react-router";
import { Command } from "../../ui/Command.tsx";
import { usePageTitle } from "../../ui/usePageTitle.ts";

/** Checking a step in the browser is planned; until then the command does it. */
export function CheckStep() {
  usePageTitle("Check a step");
  return (
    <div className="wrap page">
      <h1>Check a step</h1>
      <p className="lead">
        Not in the browser yet. The step that was paid for is an ONNX graph; a verifier’s own command runs it again on
        your machine and compares the update with what the provider committed.
      </p>
      <Command text="npx gpuchain-verifier judge <checkpoint> --rpc <RPC> --deployment <FILE>" />
      <p>
        A checkpoint’s number stands in its row on a <Link to="/runs">run’s page</Link>. What it checks is explained
        under <Link to="/help">Help</Link>.
      </p>
    </div>
  );
}

/** Posting a job from the browser is planned too. */
export function PostJob() {
  usePageTitle("Post a job");
  return (
    <div className="wrap page">
      <h1>Post a job</h1>
      <p className="lead">
        Not in the browser yet. The demo posts a real one on a local chain, trains it, kills a provider, refuses junk,
        and pays everybody out.
      </p>
      <Command text="npm run demo" />
      <p>
        It takes a few minutes on two cores and needs nothing but Node. Then <Link to="/runs">watch the run</Link> here.
      </p>
    </div>
  );
}
