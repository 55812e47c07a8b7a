import sodium from "libsodium-wrappers";
import { type Hex, hexToBytes, type LocalAccount, sha256, toHex } from "viem";
import { GpuchainError } from "../daemon/errors.ts";

/** An X25519 key pair to which keys of sealed data are sealed. */
export interface EncryptionKeys {
  /** as registered on chain */
  readonly publicKey: Hex;
  readonly secretKey: Uint8Array;
}

/** Signed by nobody but this function: a wallet that shows it to its owner should refuse. */
const MESSAGE =
  "GPUChain encryption key, version 1. Sign this only in the GPUChain daemon: whoever has this signature can read held-out data.";

/**
 * The encryption keys that belong to an account. They follow from its signature of a fixed text (deterministic, RFC 6979), so that the
 * account's key file is the only thing to back up.
 */
export async function deriveEncryptionKeys(account: Pick<LocalAccount, "signMessage">): Promise<EncryptionKeys> {
  await sodium.ready;
  const seed = sha256(await account.signMessage({ message: MESSAGE }), "bytes");
  const { publicKey, privateKey } = sodium.crypto_box_seed_keypair(seed);
  return { publicKey: toHex(publicKey), secretKey: privateKey };
}

/** Seals a short secret (a key) to a public key: only its owner can open it, and nobody can tell who sealed it. */
export async function sealKey(key: Uint8Array, recipient: Hex): Promise<Uint8Array> {
  await sodium.ready;
  return sodium.crypto_box_seal(key, hexToBytes(recipient));
}

/** Opens what {@link sealKey} made. @throws GpuchainError `SEAL_BROKEN` */
export async function openKey(sealed: Uint8Array, keys: EncryptionKeys): Promise<Uint8Array> {
  await sodium.ready;
  try {
    return sodium.crypto_box_seal_open(sealed, hexToBytes(keys.publicKey), keys.secretKey);
  } catch (cause) {
    throw new GpuchainError("SEAL_BROKEN", "this key was sealed to somebody else, or was changed", { cause });
  }
}
