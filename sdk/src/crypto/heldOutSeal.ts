import sodium from "libsodium-wrappers";
import { hexToBytes, type LocalAccount, sha256 } from "viem";
import type { Hex } from "../records/bytes.ts";
import { sealBytes } from "./sealedStream.ts";

/** Signed by nobody but this function: a wallet that shows it to its owner should refuse. */
const MESSAGE =
  "GPUChain keys of held-out data, version 1. Sign this only in a GPUChain client: whoever has this signature can read your held-out data.";

/**
 * The key of a client's held-out data. It follows from the account's signature of a fixed text (deterministic, RFC 6979) and the data's
 * hash: nothing has to be kept for a re-run after a crash to seal the same bytes, or for the client to open its data years later.
 *
 * @param plain SHA-256 of the data in the clear, as in the spec's `data.heldOut.plain`
 * @returns 32 bytes
 */
export async function heldOutKeyOf(account: Pick<LocalAccount, "signMessage">, plain: Hex): Promise<Uint8Array> {
  await sodium.ready;
  const seed = sha256(await account.signMessage({ message: MESSAGE }), "bytes");
  return sodium.crypto_generichash(32, hexToBytes(plain), seed);
}

/**
 * Seals a client's held-out data under {@link heldOutKeyOf}: the same account and data give the same sealed bytes, so the same spec.
 *
 * @example
 * const { sealed, key } = await sealHeldOut(account, heldOut, sha256Hex(heldOut));
 */
export async function sealHeldOut(
  account: Pick<LocalAccount, "signMessage">,
  bytes: Uint8Array,
  plain: Hex,
): Promise<{ sealed: Uint8Array; key: Uint8Array }> {
  return sealBytes(bytes, await heldOutKeyOf(account, plain));
}
