import { contractAbis, type GpuchainClient, type Sender } from "@gpuchain/sdk/chain";
import { formatUsdc, GpuchainError, type Logger } from "@gpuchain/sdk/daemon";
import type { Hex } from "viem";

export interface RegisterParameters {
  readonly client: GpuchainClient;
  readonly sender: Sender;
  readonly endpoint: string;
  readonly encryptionKey: Hex;
  readonly fee: bigint;
  readonly templates: number;
  readonly bond: bigint;
  readonly log: Logger;
}

/** Chains on which the token has an open faucet. */
const LOCAL_CHAINS = new Set([31337, 1337]);

/**
 * Brings this verifier's entry in the registry up to date: registers and bonds at the first start, changes the endpoint later. Safe to
 * repeat.
 *
 * @throws GpuchainError `GAS_MISSING`, `BOND_MISSING`, saying what to send where
 */
export async function registerVerifier(parameters: RegisterParameters): Promise<void> {
  const { client, sender, endpoint, encryptionKey, fee, templates, bond, log } = parameters;
  const { escrow, usdc } = client.deployment.contracts;
  const account = sender.address;
  const profile = { endpoint, encryptionKey, minFee: fee, templateMask: templates };
  const nonce = await client.public.getTransactionCount({ address: account });
  const call = (contract: "registry" | "usdc", functionName: string, args: readonly unknown[], intent: string) =>
    sender.send({
      intent: `${intent}:${nonce}`,
      address: client.deployment.contracts[contract],
      abi: contractAbis[contract],
      functionName,
      args,
    });

  const known = await client.read.getVerifier({ account });
  if (known.status !== "None") {
    const same = known.endpoint === endpoint && known.encryptionKey.toLowerCase() === encryptionKey.toLowerCase();
    if (same) return;
    // Fee and mask may change once an hour only: they are left as they are, so that a new address is never held up by them.
    const kept = { ...profile, minFee: known.minFee, templateMask: known.templateMask };
    await call("registry", "updateVerifier", [kept], "update");
    log.info({ endpoint }, "endpoint updated in the registry");
    return;
  }
  const gas = await client.public.getBalance({ address: account });
  if (gas === 0n)
    throw new GpuchainError("GAS_MISSING", `${account} has no native coin to pay for transactions`, {
      hint: `send some of chain ${client.deployment.chainId}'s native coin to ${account}, then start again`,
    });
  const have = await client.read.getUsdcBalance({ account });
  if (have < bond) {
    if (!LOCAL_CHAINS.has(client.deployment.chainId))
      throw new GpuchainError(
        "BOND_MISSING",
        `${account} holds ${formatUsdc(have)} USDC; the bond is ${formatUsdc(bond)}`,
        {
          hint: `send USDC (${usdc}) to ${account}, then start again`,
        },
      );
    await call("usdc", "mint", [account, bond - have], "faucet");
  }
  await call("usdc", "approve", [escrow, bond], "approve");
  await call("registry", "registerVerifier", [profile, bond], "register");
  log.info({ endpoint, bond: formatUsdc(bond), fee: formatUsdc(fee) }, "registered as a verifier");
}
