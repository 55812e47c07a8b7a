// npm run verify-deployment: is what stands on a chain what these sources and the deployment file say?
import { parseArgs } from "node:util";
import { GpuchainError, toGpuchainError } from "@gpuchain/sdk/daemon";
import { createPublicClient, http } from "viem";
import { readDeploymentFile } from "./deploymentFile.ts";
import { verifyDeployment } from "./verifyDeployment.ts";

const USAGE = `npm run verify-deployment -- --rpc URL --deployment FILE [--json]

Reads everything that the deploy script wrote down from the chain again: addresses, code (also against what the compiler makes of these
sources), constructor arguments, limits, owner, arbiter and treasury, compiler settings. Sends nothing.

  --rpc URL          RPC of the chain, http(s)://
  --deployment FILE  what the deploy script wrote, deployments/<chain>.json
  --json             print the result as JSON

Exit code: 0 all the same, 1 something differs, 2 it could not be checked.`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rpc: { type: "string" },
      deployment: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (!values.rpc || !values.deployment) throw usage("--rpc and --deployment are needed");
  const file = readDeploymentFile(values.deployment);
  const client = createPublicClient({ transport: http(values.rpc) });
  const { ok, checks, notes } = await verifyDeployment(client, file);
  if (values.json) {
    console.log(JSON.stringify({ ok, checks, notes }, undefined, 2));
    return ok ? 0 : 1;
  }
  const differing = checks.filter((check) => !check.ok);
  for (const { what, differs } of differing) console.log(`differs: ${what}: ${differs}`);
  for (const note of notes) console.log(`note: ${note}`);
  console.log(
    ok
      ? `yes: chain ${file.chainId} holds this deployment, ${checks.length} checks`
      : `no: ${differing.length} of ${checks.length} checks differ`,
  );
  return ok ? 0 : 1;
}

function usage(message: string): GpuchainError {
  return new GpuchainError("USAGE", message, { hint: "see: npm run verify-deployment -- --help" });
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
