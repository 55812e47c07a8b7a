import { type FillKind, fill } from "../ui/Swatch.tsx";

export interface MoneyPart {
  readonly key: string;
  readonly label: string;
  readonly units: bigint;
  /** what it looks like: a provider's fill, or a class of the grey ramp */
  readonly look: { readonly kind: FillKind; readonly index: number } | { readonly className: string };
}

/** A sum of money as a bar, to scale: a part too small to see is not drawn larger than it is. */
export function MoneyBar({
  parts,
  label,
  className,
}: {
  parts: readonly MoneyPart[];
  label: string;
  className?: string;
}) {
  const total = parts.reduce((sum, part) => sum + part.units, 0n);
  return (
    <div className={className ? `mbar ${className}` : "mbar"} role="img" aria-label={label}>
      {parts
        .filter((part) => part.units > 0n)
        .map((part) => (
          <span
            key={part.key}
            className={"className" in part.look ? `seg ${part.look.className}` : "seg"}
            style={{ width: `${Number((part.units * 100_000n) / (total || 1n)) / 1000}%` }}
          >
            {"kind" in part.look && (
              <svg width="100%" height="100%" aria-hidden="true">
                <rect width="100%" height="100%" fill={fill(part.look.kind, part.look.index)} />
              </svg>
            )}
          </span>
        ))}
    </div>
  );
}
