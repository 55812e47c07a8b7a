import { useEffect } from "react";

/** Names the tab; screen readers announce it after a navigation. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · GPUChain`;
  }, [title]);
}
