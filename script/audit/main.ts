// npm run audit: rebuilds every balance of a deployment from its logs alone, with no indexer, checks every invariant on the way
// and holds the result against the contracts.
import { parseArgs } from "node:util";
import { assertDeployment, createGpuchainClient, loadDeployment } from "@gpuchain/sdk/chain";
import { GpuchainError, toGpuchainError } from "@gpuchain/sdk/daemon";
import { type AuditReport, auditDeployment } from "./auditDeployment.ts";
import { renderReport } from "./renderReport.ts";

const USAGE = `npm run audit -- --rpc URL --deployment FILE [options]

Rebuilds every balance from the deployment's logs alone and checks every invariant.

  --rpc URL          RPC of the chain, http(s):// or ws(s)://
  --deployment FILE  deployment JSON
  --block N          audit as of this block; latest (default) or finalized also work
  --indexer URL      also hold this indexer's ledger against the logs
  --json             print the report as JSON

Exit code: 0 all hold, 1 something does not, 2 the audit could not be made.`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rpc: { type: "string" },
      deployment: { type: "string" },
      block: { type: "string", default: "latest" },
      indexer: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (!values.rpc || !values.deployment) throw usage("--rpc and --deployment are needed");
  if (!/^(latest|finalized|\d+)$/.test(values.block)) throw usage(`--block is no block: ${values.block}`);
  const deployment = loadDeployment(values.deployment);
  const client = createGpuchainClient({ rpc: values.rpc, deployment });
  await assertDeployment(client);
  const report: AuditReport = await auditDeployment({
    client: client.public,
    deployment,
    block: values.block,
    indexer: values.indexer,
    onProgress: values.json || !process.stderr.isTTY ? undefined : (text) => process.stderr.write(`\x1b[2K\r${text}`),
  });
  console.log(values.json ? toJson(report) : renderReport(report));
  return report.ok ? 0 : 1;
}

function usage(message: string): GpuchainError {
  return new GpuchainError("USAGE", message, { hint: "see: npm run audit -- --help" });
}

function toJson(report: AuditReport): string {
  return JSON.stringify(report, (_key, value) => (typeof value === "bigint" ? value.toString() : value), 2);
}

main().then(
  (code) => process.exit(code),
  (cause: unknown) => {
    const error = cause instanceof TypeError && "code" in cause ? usage(cause.message) : toGpuchainError(cause);
    console.error(`error: ${error.message}`);
    if (error.hint) console.error(`  hint: ${error.hint}`);
    process.exit(2);
  },
);
