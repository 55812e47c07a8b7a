import { large } from "./large.ts";

const whole = new Intl.NumberFormat("en-US");

/** 18442 → "18,442" */
export const count = (n: number | bigint): string =>
  n > Number.MAX_SAFE_INTEGER && n < Number.POSITIVE_INFINITY ? large(BigInt(n).toString()) : whole.format(n);

/** 2.1e-6 as "2.1e-6", 0.32 as "0.32": how an update distance is read against its limit. */
export function small(n: number): string {
  if (n === 0) return "0";
  if (Math.abs(n) >= 0.001) return Number(n.toPrecision(2)).toString();
  return n.toExponential(1);
}

export const plural = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;

/** A loss: four decimals, or three digits where four decimals would show nothing. */
export function loss(n: number): string {
  return Math.abs(n) >= 0.01 || n === 0 ? n.toFixed(4) : n.toPrecision(3);
}
