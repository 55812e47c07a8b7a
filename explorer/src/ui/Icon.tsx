import type { ReactNode } from "react";

const line = { fill: "none", stroke: "currentColor", strokeWidth: 1.6 } as const;

const PATHS = {
  dot: <circle cx="8" cy="8" r="4" />,
  ring: <circle cx="8" cy="8" r="4.5" {...line} />,
  check: <path d="M3 8.5l3.2 3.2L13 4.8" {...line} strokeWidth={1.8} />,
  cross: <path d="M3.5 3.500l9 9M12.5 3.5l-9 9" {...line} strokeWidth={1.8} />,
  dash: <path d="M4 8h8" {...line} />,
  arrow: <path d="M3 8h9M8.5 4.5L12 8l-3.5 3.5" {...line} />,
  back: <path d="M13 8H4M7.5 4.500L4 8l3.5 3.5" {...line} />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" {...line} />
      <path d="M10.5 10.500L14 14" {...line} />
    </>
  ),
  theme: (
    <>
      <path d="M8 2a6 6 0 0 1 0 12z" />
      <circle cx="8" cy="8" r="6" {...line} />
    </>
  ),
  menu: <path d="M2 4.500h12M2 8h12M2 11.500h12" {...line} />,
  play: <path d="M4 2.500v11l9-5.500z" />,
  pause: <path d="M4 3h3v10H4zM9 3h3v10H9z" />,
  rewind: <path d="M4 3v10M13 3.500v9L6 8z" {...line} />,
  plug: <path d="M6 1v4M10 1v4M4 5h8v3a4 4 0 0 1-8 0zM8 12v3" {...line} />,
  copy: <path d="M5.5 5.500v-3h8v8h-3M2.5 5.500h8v8h-8z" {...line} />,
  recorded: (
    <>
      <circle cx="8" cy="8" r="5" {...line} />
      <circle cx="8" cy="8" r="2" />
    </>
  ),
  gpu: <rect x="3" y="3" width="10" height="10" />,
  capped: <path d="M3 5h10M3 11h6" {...line} strokeWidth={2} />,
  chain: <path d="M2 12.500h12M4 4h8v6H4z" {...line} />,
  self: (
    <>
      <path d="M4 9V6.500C4 5 5 4 6.5 4M9.5 9V6.500C9.5 5 10.5 4 12 4" {...line} />
      <rect x="3.5" y="8" width="3.5" height="3.5" />
      <rect x="9" y="8" width="3.5" height="3.5" />
    </>
  ),
  dots: <path d="M3 8h2M7 8h2M11 8h2" {...line} strokeWidth={2} />,
  simulated: <rect x="3" y="3" width="10" height="10" {...line} strokeDasharray="2.5 2.5" />,
  separate: <path d="M2 3.500h5v9H2zM9 3.500h5v9H9z" {...line} />,
  estimate: <path d="M3 6.500c2-2 3.5-2 5 0s3 2 5 0M3 11c2-2 3.5-2 5 0s3 2 5 0" {...line} />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof PATHS;

/** Decorative: its meaning always stands in words beside it. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg className={className ? `i ${className}` : "i"} viewBox="0 0 16 16" aria-hidden="true">
      {PATHS[name]}
    </svg>
  );
}
