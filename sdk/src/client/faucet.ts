import { getUsdcBalance, read, write } from "../chain/index.ts";
import { GpuchainError } from "../daemon/errors.ts";
import type { ClientContext } from "./clientContext.ts";

export interface FaucetParameters {
  /** Base units to be added. */
  amount: bigint;
  /** Who gets them. Default: the key itself. */
  to?: `0x${string}`;
  /** Names this call: the same one again gives nothing more. Default: a new one. */
  intent?: string;
}

export interface FaucetReturnType {
  /** USDC of the account afterwards, base units. */
  balance: bigint;
}

/**
 * Takes test USDC, on local chains and test networks with an open faucet. Throws NO_FAUCET elsewhere.
 *
 * @example
 * const { balance } = await faucet(context, { amount: parseUsdc("5") });
 */
export async function faucet(
  { client, account, sender }: ClientContext,
  parameters: FaucetParameters,
): Promise<FaucetReturnType> {
  const { amount, to = account.address, intent = `faucet:${crypto.randomUUID()}` } = parameters;
  const limit = await read(client, "usdc", "FAUCET_LIMIT", []).catch((cause: unknown) => {
    throw new GpuchainError("NO_FAUCET", "this network's USDC has no open faucet", {
      hint: "get USDC on this network yourself, e.g. from faucet.circle.com on Base Sepolia",
      cause,
    });
  });
  for (let left = amount, call = 0; left > 0n; left -= limit, call++) {
    const share = smaller(left, limit);
    await write(sender, client.deployment, "usdc", "mint", [to, share], { intent: `${intent}:${call}` });
  }
  return { balance: await getUsdcBalance(client, { account: to }) };
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
