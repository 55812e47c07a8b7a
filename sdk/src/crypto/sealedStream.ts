import sodium, { type StateAddress } from "libsodium-wrappers";
import { GpuchainError } from "../daemon/errors.ts";

/** Bytes of plain data in one sealed piece. */
const PIECE = 64 * 1024;

/**
 * Seals bytes with libsodium's secretstream: pieces can neither be changed, nor put in another order, nor left out at the end.
 * Layout: a 24-byte header, then pieces of 64 KiB and 17 bytes each, the last one shorter and marked as final.
 *
 * @param ownKey 32 bytes, for these very bytes and no others: the same bytes and key then give the same sealed bytes. Default: a fresh
 * random key
 */
export async function sealBytes(
  plain: Uint8Array,
  ownKey?: Uint8Array,
): Promise<{ sealed: Uint8Array; key: Uint8Array }> {
  await sodium.ready;
  const key = ownKey ?? sodium.crypto_secretstream_xchacha20poly1305_keygen();
  const { state, header } =
    ownKey === undefined ? sodium.crypto_secretstream_xchacha20poly1305_init_push(key) : repeatable(key);
  const parts: Uint8Array[] = [header];
  for (let from = 0; from === 0 || from < plain.length; from += PIECE) {
    const isLast = from + PIECE >= plain.length;
    const tag = isLast
      ? sodium.crypto_secretstream_xchacha20poly1305_TAG_FINAL
      : sodium.crypto_secretstream_xchacha20poly1305_TAG_MESSAGE;
    parts.push(sodium.crypto_secretstream_xchacha20poly1305_push(state, plain.subarray(from, from + PIECE), null, tag));
  }
  return { sealed: join(parts), key };
}

/**
 * Opens what {@link sealBytes} made.
 *
 * @throws GpuchainError `SEAL_BROKEN` with another key, or when anything was changed, reordered or cut off
 */
export async function openBytes(sealed: Uint8Array, key: Uint8Array): Promise<Uint8Array> {
  await sodium.ready;
  const broken = (cause?: unknown) =>
    new GpuchainError("SEAL_BROKEN", "the sealed bytes do not open with this key", {
      hint: "the key belongs to other data, or the bytes were changed",
      cause,
    });
  const headerBytes = sodium.crypto_secretstream_xchacha20poly1305_HEADERBYTES;
  if (sealed.length < headerBytes || key.length !== sodium.crypto_secretstream_xchacha20poly1305_KEYBYTES)
    throw broken();
  const state = sodium.crypto_secretstream_xchacha20poly1305_init_pull(sealed.subarray(0, headerBytes), key);
  const step = PIECE + sodium.crypto_secretstream_xchacha20poly1305_ABYTES;
  const parts: Uint8Array[] = [];
  let final = false;
  for (let from = headerBytes; from < sealed.length; from += step) {
    const pulled = pull(state, sealed.subarray(from, from + step));
    if (pulled === undefined || final) throw broken();
    parts.push(pulled.message);
    final = pulled.tag === sodium.crypto_secretstream_xchacha20poly1305_TAG_FINAL;
  }
  if (!final) throw broken();
  return join(parts);
}

/** A stream whose header follows from its key. The state of a stream is the same for either end, so that of the reading end writes, too. */
function repeatable(key: Uint8Array): { state: StateAddress; header: Uint8Array } {
  const length = sodium.crypto_secretstream_xchacha20poly1305_HEADERBYTES;
  const header = sodium.crypto_generichash(length, key, sodium.from_string("gpuchain stream header"));
  return { state: sodium.crypto_secretstream_xchacha20poly1305_init_pull(header, key), header };
}

function pull(state: StateAddress, piece: Uint8Array): { message: Uint8Array; tag: number } | undefined {
  try {
    // `false`: the piece does not verify.
    return sodium.crypto_secretstream_xchacha20poly1305_pull(state, piece, null) || undefined;
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
