import { Link } from "@tanstack/react-router";
import { useConfig } from "../../config/ConfigContext.ts";
import { Command } from "../../ui/Command.tsx";
import { usePageTitle } from "../../ui/usePageTitle.ts";

/** How the command line finds this network; the deployment file is the one that Provide saves. */
function useNetworkArgs(): string {
  const { rpc } = useConfig();
  return `--rpc ${rpc[0] ?? "<RPC>"} --deployment deployment.json`;
}

/** Checking a step in the browser is planned; until then commands do it, and dispute what they find. */
export function CheckStep() {
  usePageTitle("Check a step");
  const network = useNetworkArgs();
  return (
    <div className="wrap page">
      <h1>Check a step</h1>
      <p className="lead">
        Not in the browser yet. The step that was paid for is an ONNX graph; a command runs it again on your machine and
        compares the update with what the provider committed. It signs nothing.
      </p>
      <Command text={`node sdk/dist/cli/main.js verify <JOB> ${network}`} />
      <p>
        In a clone of the repository, after <code>npm run build</code>; deployment.json can be saved under{" "}
        <Link to="/provide">Provide</Link>. A job’s number stands in the address of its <Link to="/runs">run</Link>.
      </p>
      <h2>If it doesn’t replay: dispute it</h2>
      <p>
        Not in the browser yet either. The job’s client can contest an accepted checkpoint and all after it while its
        window is open, with a bond at stake; the arbiter decides, and if it stays silent the verdict stands.
      </p>
      <Command text={`node sdk/dist/cli/main.js dispute <JOB> --checkpoint <N> --reason <TEXT> ${network}`} />
      <p>
        What is checked, and what isn’t, is explained under <Link to="/help">Help</Link> and{" "}
        <Link to="/honestly">Honestly</Link>.
      </p>
    </div>
  );
}

/** Posting a job from the browser is planned too. */
export function PostJob() {
  usePageTitle("Post a job");
  const network = useNetworkArgs();
  return (
    <div className="wrap page">
      <h1>Post a job</h1>
      <p className="lead">
        Not in the browser yet; the command line does it. The first command writes a job file from your labelled texts,
        the second locks the budget and uploads the data.
      </p>
      <Command text="node sdk/dist/cli/main.js init job.jsonc --data texts.csv" />
      <Command text={`node sdk/dist/cli/main.js post job.jsonc ${network}`} />
      <p>
        In a clone of the repository, after <code>npm run build</code>. To see one posted, trained, killed, refused and
        paid out without preparing anything:
      </p>
      <Command text="npm run demo" />
      <p>
        It takes a few minutes on two cores and needs nothing but Node. Then <Link to="/runs">watch the run</Link> here.
      </p>
    </div>
  );
}
