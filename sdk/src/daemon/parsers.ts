import { GpuchainError } from "./errors.ts";

const invalid = (expected: string, raw: string) =>
  new GpuchainError("CONFIG_INVALID", `expected ${expected}, got "${raw}"`);

/** Text that is not empty. */
export function parseText(raw: string): string {
  if (raw.trim() === "") throw invalid("some text", raw);
  return raw;
}

/** A whole number within bounds. */
export function parseInteger(bounds: { min?: number; max?: number } = {}): (raw: string) => number {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = bounds;
  return (raw) => {
    const value = Number(raw);
    if (!/^-?\d+$/.test(raw) || value < min || value > max) {
      const from = bounds.min === undefined ? "" : ` from ${min}`;
      throw invalid(`a whole number${from}${bounds.max === undefined ? "" : ` up to ${max}`}`, raw);
    }
    return value;
  };
}

/** `true`, `false`, `1`, `0`, `yes`, `no`. */
export function parseBoolean(raw: string): boolean {
  if (/^(true|1|yes)$/i.test(raw)) return true;
  if (/^(false|0|no)$/i.test(raw)) return false;
  throw invalid("true or false", raw);
}

/** One of the given words. */
export function parseChoice<const Choice extends string>(choices: readonly Choice[]): (raw: string) => Choice {
  return (raw) => {
    const found = choices.find((choice) => choice === raw);
    if (found === undefined) throw invalid(`one of ${choices.join(", ")}`, raw);
    return found;
  };
}

/** A number within bounds, fractions allowed. */
export function parseNumber(bounds: { min: number; max: number }): (raw: string) => number {
  return (raw) => {
    const value = Number(raw);
    if (raw.trim() === "" || !(value >= bounds.min && value <= bounds.max))
      throw invalid(`a number from ${bounds.min} up to ${bounds.max}`, raw);
    return value;
  };
}

/** Splits `host:port`, as in `0.0.0.0:8570` or `[::1]:0`. */
export function parseListen(raw: string): { host: string; port: number } {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:]+)):(\d{1,5})$/.exec(raw);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined || port > 65_535) throw invalid("host:port", raw);
  return { host, port };
}

/** An address of one of the given schemes, e.g. `["http", "https", "ws", "wss"]`. */
export function parseUrl(schemes: readonly string[]): (raw: string) => string {
  return (raw) => {
    const scheme = URL.canParse(raw) ? new URL(raw).protocol.slice(0, -1) : "";
    if (!schemes.includes(scheme))
      throw invalid(`an address that starts with ${schemes.map((s) => `${s}://`).join(" or ")}`, raw);
    return raw;
  };
}

/**
 * An amount of USDC as people write it, to base units of 10⁻⁶.
 *
 * @example
 * parseUsdc("0.002"); // 2000n
 */
export function parseUsdc(raw: string): bigint {
  const match = /^(\d{1,18})(?:\.(\d{1,6}))?$/.exec(raw.trim());
  if (match === null) throw invalid("an amount of USDC with at most six decimals, e.g. 0.002", raw);
  return BigInt(match[1] ?? "0") * 1_000_000n + BigInt((match[2] ?? "").padEnd(6, "0"));
}

/** Base units as a decimal string with six places, e.g. `0.002000`. */
export function formatUsdc(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(7, "0");
  return `${amount < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** A 20-byte hexadecimal address; the checksum is the chain room's business. */
export function parseAddressText(raw: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]{40}$/.test(raw)) throw invalid("an address of 0x and 40 hexadecimal digits", raw);
  return raw as `0x${string}`;
}
