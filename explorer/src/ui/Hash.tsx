import { shortHash } from "../format/hash.ts";

/** A hash or address, shortened; whole in its title, and copied whole by its button. */
export function Hash({ value }: { value: string }) {
  return (
    <button
      type="button"
      className="hash hashb"
      title={`${value}, copy`}
      onClick={() => void navigator.clipboard?.writeText(value)}
    >
      {shortHash(value)}
    </button>
  );
}
