// Deploys the contracts with the same Foundry script that deploys to a public network.
import path from "node:path";
import { foundryBinary } from "../forge.mjs";
import { type LocalChain, localAccounts } from "./anvil.ts";
import type { ProcessGroup } from "./processes.ts";
import { root } from "./root.ts";

/** Runs contracts/script/Deploy.s.sol against a local chain and writes the deployment file. */
export async function deployContracts(group: ProcessGroup, chain: LocalChain, deploymentFile: string): Promise<void> {
  const forge = group.start({
    name: "deploy",
    file: foundryBinary("forge"),
    cwd: path.join(root, "contracts"),
    args: [
      ...["script", "script/Deploy.s.sol", "--rpc-url", chain.rpcUrl, "--broadcast", "--skip", "test"],
      ...["--unlocked", "--sender", localAccounts.deployer.address, "--non-interactive"],
    ],
    env: {
      DEPLOYMENT_FILE: deploymentFile,
      TREASURY: localAccounts.treasury.address,
      ARBITER: localAccounts.arbiter.address,
      // One broadcast folder per run: two networks may start side by side.
      FOUNDRY_BROADCAST: path.join(group.directory, "broadcast"),
    },
  });
  const { code } = await forge.exited;
  if (code !== 0) throw new Error(`deploying the contracts failed (forge ended with ${code}):\n${forge.tail()}`);
}
