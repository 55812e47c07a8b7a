import { createHash } from "node:crypto";
import type { Hex } from "./rows.ts";

export type ContractName = "Jobs" | "Escrow" | "Registry" | "Court";

/** One decoded log of the deployment, with what its digest is made from. Addresses are in lower case throughout. */
export interface LedgerEvent {
  contract: ContractName;
  name: string;
  args: Record<string, unknown>;
  block: { number: number; timestamp: number; hash: Hex };
  transaction: { hash: Hex; from: Hex };
  log: { index: number; address: Hex; topics: readonly Hex[]; data: Hex };
}

export const EMPTY_DIGEST: Hex = `0x${"00".repeat(32)}`;

/**
 * One link of the hash chain over the deployment's logs: SHA-256 of the previous digest and of where and what this log is.
 * Anyone with the logs computes the same chain, so one digest stands for everything before it.
 */
export function nextDigest(previous: Hex, event: Pick<LedgerEvent, "block" | "transaction" | "log">): Hex {
  const { block, transaction, log } = event;
  const text = [
    ...[previous, block.number, block.hash, transaction.hash, log.index],
    ...[log.address, log.topics.join(","), log.data],
  ].join("|");
  return `0x${createHash("sha256").update(text.toLowerCase()).digest("hex")}`;
}

/** Addresses and other hex in lower case, bigints kept: what handlers work on. */
export function normalizeArgs(args: unknown): Record<string, unknown> {
  return normalize(args) as Record<string, unknown>;
}

function normalize(value: unknown): unknown {
  if (typeof value === "string") return /^0x[0-9a-fA-F]*$/.test(value) ? value.toLowerCase() : value;
  if (Array.isArray(value)) return value.map(normalize);
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, normalize(inner)]));
  }
  return value;
}

/** Arguments as JSON: bigints become decimal strings. */
export function jsonArgs(args: Record<string, unknown>): Record<string, unknown> {
  return toJson(args) as Record<string, unknown>;
}

function toJson(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(toJson);
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJson(inner)]));
  }
  return value;
}
