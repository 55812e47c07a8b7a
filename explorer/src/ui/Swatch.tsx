export type FillKind = "pv" | "wait" | "no" | "lost";

/** `url(#pv-1)` … : provider n (1–6; 0 is nobody) in one of the four states. */
export const fill = (kind: FillKind, n: number): string => `url(#${kind}-${Math.min(6, n)})`;

/** A key's little square. */
export function Swatch({ kind, n }: { kind: FillKind; n: number }) {
  return (
    <svg className="sw" viewBox="0 0 12 14" aria-hidden="true">
      {kind === "lost" ? (
        <g className="lostc" style={n > 0 ? { stroke: `var(--p${n})` } : undefined}>
          <rect x=".5" y=".5" width="4" height="13" />
          <rect x="6.5" y=".5" width="4" height="13" />
        </g>
      ) : (
        <rect width="12" height="14" fill={fill(kind, n)} />
      )}
    </svg>
  );
}
