import { RecordError } from "./errors.ts";

/** Lower-case hex with `0x`, as it appears on chain. */
export type Hex = `0x${string}`;

/** Bytes to `0x…` in lower case. */
export function toHex(bytes: Uint8Array): Hex {
  let hex = "0x";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return hex as Hex;
}

/**
 * `0x…` to bytes.
 *
 * @param length expected number of bytes; left out, any even-length hex is taken
 * @throws RecordError `BAD_HEX`
 */
export function fromHex(hex: string, length?: number): Uint8Array {
  const digits = /^0x((?:[0-9a-fA-F]{2})*)$/.exec(hex)?.[1];
  if (digits === undefined) throw new RecordError("BAD_HEX", `"${hex.slice(0, 80)}" is no 0x-prefixed hex string.`);
  const bytes = new Uint8Array(digits.length / 2);
  if (length !== undefined && bytes.length !== length)
    throw new RecordError("BAD_HEX", `Expected ${length} bytes of hex, got ${bytes.length}.`);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** Joins byte arrays into one new array. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** An unsigned integer as big-endian bytes, as Solidity's ABI lays out a word. */
export function uintToBytes(value: bigint | number, length: number): Uint8Array {
  let rest = BigInt(value);
  if (rest < 0n || rest >= 1n << BigInt(8 * length))
    throw new RecordError("BAD_HEX", `${value} does not fit ${length} unsigned bytes.`);
  const bytes = new Uint8Array(length);
  for (let i = length - 1; i >= 0; i--) {
    bytes[i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}
