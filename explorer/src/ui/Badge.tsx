import type { ReactNode } from "react";
import { BADGES, type BadgeKind } from "./badges.ts";
import { Icon } from "./Icon.tsx";

/** Solid border: derived from data. Dashed: somebody's word. */
export function Badge({ kind, children }: { kind: BadgeKind; children?: ReactNode }) {
  const { icon, label, derived, meaning } = BADGES[kind];
  const classes = ["badge", !derived && "self", kind === "injectedFault" && "fault"].filter(Boolean).join(" ");
  return (
    <span className={classes} title={meaning}>
      <Icon name={icon} />
      {children ?? label}
    </span>
  );
}
