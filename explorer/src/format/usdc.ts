import { large } from "./large.ts";

const UNIT = 1_000_000n;
/** A trillion USDC: more than there is. Only a made-up amount reaches it, and it must not break the page either. */
const BEYOND = 10n ** 12n * UNIT;

/**
 * Base units of USDC as text, exact: not rounded below a trillion USDC, at least `places` decimals, thousands separated.
 * @example formatUsdc(50_000n, 3) // "0.050"
 */
export function formatUsdc(units: bigint, places = 6): string {
  const sign = units < 0n ? "−" : "";
  const abs = units < 0n ? -units : units;
  if (abs >= BEYOND) return `${sign}${large((abs / UNIT).toString())}`;
  const whole = (abs / UNIT).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const decimals = (abs % UNIT).toString().padStart(6, "0");
  let used = 6;
  while (used > places && decimals[used - 1] === "0") used--;
  return used === 0 ? `${sign}${whole}` : `${sign}${whole}.${decimals.slice(0, used)}`;
}

/**
 * Reads what a person types ("0.002", "1,000.5") into base units; undefined when it is no amount or finer than a unit.
 */
export function parseUsdc(text: string): bigint | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text.trim().replaceAll(",", ""));
  if (!match) return undefined;
  return BigInt(match[1] ?? "0") * UNIT + BigInt((match[2] ?? "").padEnd(6, "0"));
}
