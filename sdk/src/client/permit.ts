import { parseSignature, type TypedDataDomain } from "viem";
import { read } from "../chain/index.ts";
import type { ClientContext } from "./clientContext.ts";

const permitTypes = {
  Permit: [
    { name: "owner", type: "address" },
    { name: "spender", type: "address" },
    { name: "value", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

/** An EIP-2612 permit as `postJobWithPermit` takes it. */
export interface Permit {
  deadline: bigint;
  v: number;
  r: `0x${string}`;
  s: `0x${string}`;
}

/**
 * Signs that the Escrow may pull `value` base units once, within an hour of the chain's clock.
 *
 * @example
 * const permit = await signPermit(context, parseUsdc("5"));
 */
export async function signPermit({ client, account }: ClientContext, value: bigint): Promise<Permit> {
  const { usdc, escrow } = client.deployment.contracts;
  const [nonce, domain, block] = await Promise.all([
    read(client, "usdc", "nonces", [account.address]),
    tokenDomain(client),
    client.public.getBlock({ blockTag: "latest" }),
  ]);
  const deadline = block.timestamp + 3_600n;
  const signature = await account.signTypedData({
    domain: { ...domain, chainId: client.deployment.chainId, verifyingContract: usdc },
    types: permitTypes,
    primaryType: "Permit",
    message: { owner: account.address, spender: escrow, value, nonce, deadline },
  });
  const { r, s, yParity } = parseSignature(signature);
  return { deadline, v: yParity + 27, r, s };
}

/** Name and version of the token's EIP-712 domain. Circle's USDC has no `eip712Domain`; its version is "2". */
async function tokenDomain(client: ClientContext["client"]): Promise<TypedDataDomain> {
  try {
    const [, name, version] = await read(client, "usdc", "eip712Domain", []);
    return { name, version };
  } catch {
    return { name: await read(client, "usdc", "name", []), version: "2" };
  }
}
