/**
 * The fills of the whole grammar, once per page. Level or dotted texture says who; diagonal says "not checked yet";
 * a cross says refused; hollow says lost.
 */
export function Patterns() {
  return (
    <svg className="defs" width="0" height="0" aria-hidden="true" focusable="false">
      <defs>
        {[1, 2, 3, 4, 5, 6].map((n) => (
          <ProviderPatterns key={n} n={n} />
        ))}
        <pattern id="wait-0" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="6" height="6" fill="var(--paper)" />
          <rect width="2" height="6" fill="var(--ink-3)" />
        </pattern>
        <pattern id="gap" width="6" height="6" patternUnits="userSpaceOnUse">
          <rect x="5" width="1" height="6" fill="var(--paper)" />
        </pattern>
      </defs>
    </svg>
  );
}

function ProviderPatterns({ n }: { n: number }) {
  const height = n === 3 ? 5 : 6;
  return (
    <>
      <pattern id={`pv-${n}`} width="6" height={height} patternUnits="userSpaceOnUse">
        <rect width="6" height="6" fill={`var(--p${n})`} />
        <Texture n={n} />
      </pattern>
      <pattern id={`wait-${n}`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="6" height="6" fill="var(--paper)" />
        <rect width="3" height="6" fill={`var(--p${n})`} />
      </pattern>
      <pattern id={`no-${n}`} width="6" height="6" patternUnits="userSpaceOnUse">
        <rect width="6" height="6" fill="var(--bad-wash)" />
        <path d="M.7 1.2l3.6 3.6M4.3 1.2L.7 4.8" stroke={`var(--p${n}-t)`} strokeWidth="1.1" />
      </pattern>
      <pattern id={`lost-${n}`} width="6" height="14" patternUnits="userSpaceOnUse">
        <rect x=".5" y=".5" width="4" height="13" fill="var(--paper)" stroke={`var(--p${n})`} strokeWidth="1" />
      </pattern>
    </>
  );
}

function Texture({ n }: { n: number }) {
  if (n === 2) return <circle cx="2.5" cy="3" r="1" className="tx" />;
  if (n === 3) return <rect y="2" width="6" height="1" className="tx" />;
  if (n === 4) return <path d="M2.5 1v4M.5 3h4" className="txs" />;
  if (n === 5) return <rect x="1.5" y="2" width="2" height="2" className="tx" />;
  if (n === 6) return <circle cx="2.5" cy="3" r="1.6" className="txs" />;
  return null;
}
