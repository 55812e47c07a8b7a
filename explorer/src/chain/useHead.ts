import { createContext, useContext, useSyncExternalStore } from "react";
import type { ChainHead, HeadStore } from "./headStore.ts";

export const HeadContext = createContext<HeadStore | undefined>(undefined);

/** The chain's head as the header shows it. */
export function useHead(): ChainHead {
  const store = useContext(HeadContext);
  if (!store) throw new Error("useHead outside of the app");
  return useSyncExternalStore(store.subscribe, store.get);
}

export function useRefreshHead(): () => void {
  return useContext(HeadContext)?.refresh ?? (() => undefined);
}
