import { contractAbis, type GpuchainClient, type Sender } from "@gpuchain/sdk/chain";
import { formatUsdc, GpuchainError, type Logger } from "@gpuchain/sdk/daemon";
import { type Device, encodeDevice } from "@gpuchain/sdk/records";
import { type Address, type Hex, keccak256, stringToHex } from "viem";

export interface RegisterParameters {
  readonly client: GpuchainClient;
  readonly sender: Sender;
  /** left out: as registered, else `provider` */
  readonly name?: string | undefined;
  /** base units a step; left out: as registered, else 0.001 USDC */
  readonly price?: bigint | undefined;
  /** wallet that receives all pay; left out: the key's own address */
  readonly payout?: Address | undefined;
  /** left out: 5 USDC */
  readonly bond?: bigint | undefined;
  /** X25519 public key, by which others can seal bytes to this node */
  readonly encryptionKey: Hex;
  /** self-reported device metadata */
  readonly device: Device;
  readonly log: Logger;
}

export interface RegisterReturnType {
  readonly name: string;
  readonly price: bigint;
  readonly payout: Address;
}

const DEFAULTS = { name: "provider", price: 1_000n, bond: 5_000_000n };

/** Chains on which the token has an open faucet. */
const LOCAL_CHAINS = new Set([31337, 1337]);

/**
 * Brings this node's entry in the registry up to date: registers at the first start (with faucet money on a local chain), changes name,
 * price and device later. Safe to repeat: every transaction is an intent of its own.
 *
 * @returns what stands in the registry now
 * @throws GpuchainError `GAS_MISSING`, `BOND_MISSING`, saying what to send where
 */
export async function register(parameters: RegisterParameters): Promise<RegisterReturnType> {
  const { client, sender, log } = parameters;
  const { registry, escrow, usdc } = client.deployment.contracts;
  const account = sender.address;
  const known = await client.read.getProvider({ account });
  const before = known.registered ? { ...DEFAULTS, name: known.name, price: known.pricePerStep } : DEFAULTS;
  const { name = before.name, price = before.price, bond = before.bond } = parameters;
  const metadata = encodeDevice(parameters.device);
  const profile = {
    name,
    pricePerStep: price,
    deviceHash: keccak256(stringToHex(metadata)),
    encryptionKey: parameters.encryptionKey,
    metadata,
  };
  if (known.registered) {
    const keyChanged = known.encryptionKey.toLowerCase() !== parameters.encryptionKey.toLowerCase();
    if (known.name !== name || known.pricePerStep !== price || known.deviceHash !== profile.deviceHash || keyChanged) {
      const change = keccak256(stringToHex(`${name}:${price}:${metadata}:${await nonceOf(client, account)}`));
      await call("registry", "updateProvider", [profile], `update:${change}`);
      log.info({ nodeName: name, price: formatUsdc(price) }, "profile updated");
    }
    return { name, price, payout: known.payout };
  }

  const gas = await client.public.getBalance({ address: account });
  if (gas === 0n)
    throw new GpuchainError("GAS_MISSING", `${account} has no native coin to pay for transactions`, {
      hint: `send some of chain ${client.deployment.chainId}'s native coin (0.01 is plenty for a day) to ${account}, then start again`,
    });
  const have = await client.read.getUsdcBalance({ account });
  if (have < bond) {
    if (!LOCAL_CHAINS.has(client.deployment.chainId))
      throw new GpuchainError(
        "BOND_MISSING",
        `${account} holds ${formatUsdc(have)} USDC; the bond is ${formatUsdc(bond)}`,
        {
          hint: `send USDC (${usdc}) to ${account}, or start with a smaller --bond`,
        },
      );
    await call("usdc", "mint", [account, bond - have], `faucet:${bond}:${have}`);
  }
  const allowed = await client.public.readContract({
    address: usdc,
    abi: contractAbis.usdc,
    functionName: "allowance",
    args: [account, escrow],
  });
  if (allowed < bond) await call("usdc", "approve", [escrow, bond], `approve:${bond}:${allowed}`);
  const payout = parameters.payout ?? account;
  await call("registry", "registerProvider", [profile, payout, bond], `register:${registry}`);
  log.info({ nodeName: name, price: formatUsdc(price), bond: formatUsdc(bond), payout }, "registered as a provider");
  return { name, price, payout };

  async function call(
    contract: "registry" | "usdc",
    functionName: string,
    args: readonly unknown[],
    intent: string,
  ): Promise<void> {
    const address = client.deployment.contracts[contract];
    await sender.send({ intent, address, abi: contractAbis[contract], functionName, args });
  }
}

/** Tells one change of the same kind from the next; repeated after a crash in between it gives the same name. */
const nonceOf = (client: GpuchainClient, address: Address) => client.public.getTransactionCount({ address });
