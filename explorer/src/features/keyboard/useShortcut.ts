import { useEffect, useRef } from "react";
import { addShortcut } from "./shortcuts.ts";

/** Binds keys while the component is mounted and `enabled`. The handler may change freely between renders. */
export function useShortcut(keys: string, does: string, run: () => void, enabled = true): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!enabled) return;
    return addShortcut({ keys, does, run: () => latest.current() });
  }, [keys, does, enabled]);
}
