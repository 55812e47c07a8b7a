/** Line markers pair a provider's colour with a shape of its own, so that neither has to be told apart alone. */
export function Marker({ index, x, y, hollow = false }: { index: number; x: number; y: number; hollow?: boolean }) {
  const color = `var(--p${Math.min(6, index) || 4})`;
  const style = hollow ? { fill: "var(--paper)", stroke: color } : { fill: color, stroke: "var(--paper)" };
  return (
    <g className="mk" style={style} transform={`translate(${x} ${y})`}>
      {shape(index)}
    </g>
  );
}

function shape(index: number) {
  if (index === 2) return <path d="M0-5L5 0 0 5-5 0z" />;
  if (index === 3) return <path d="M0-5L4.8 4H-4.8z" />;
  if (index === 4) return <rect x="-4" y="-4" width="8" height="8" />;
  if (index === 5) return <path d="M0 5L4.8-4H-4.8z" />;
  if (index === 6) return <path d="M-5-2h10v4H-5z" />;
  return <circle r="4" />;
}
