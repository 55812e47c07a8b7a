import { useSyncExternalStore } from "react";
import { currentTheme } from "../../shell/theme.ts";

/** Changes with the theme, so that what is drawn on a canvas reads its colours again. */
export function useThemeKey(): string {
  return useSyncExternalStore(subscribe, currentTheme);
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    system.removeEventListener("change", listener);
  };
}
