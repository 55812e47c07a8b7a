import { RecordError } from "./errors.ts";

/**
 * Serialises a JSON value by RFC 8785 (JSON Canonicalization Scheme): no white space, keys sorted by UTF-16 code units,
 * numbers and strings as ECMAScript's `JSON.stringify` writes them. `undefined` members are left out.
 *
 * @throws RecordError `NOT_CANONICAL` on a value that JSON cannot hold (NaN, bigint, function, lone surrogate).
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new RecordError("NOT_CANONICAL", `JSON has no number for ${value}.`);
    return JSON.stringify(value);
  }
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) throw new RecordError("NOT_CANONICAL", "A string holds a lone surrogate.");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(",")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${canonicalJson(key)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  throw new RecordError("NOT_CANONICAL", `JSON cannot hold a ${typeof value}.`);
}
