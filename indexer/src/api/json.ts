/** JSON with bigints as decimal strings: money loses nothing on its way. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? inner.toString() : inner));
}
