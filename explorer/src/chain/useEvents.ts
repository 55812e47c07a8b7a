import { createContext, useContext, useEffect, useSyncExternalStore } from "react";
import type { EventLog, EventStore } from "./eventStore.ts";
import { useHead } from "./useHead.ts";

export const EventContext = createContext<EventStore | undefined>(undefined);

/** Every event of the protocol so far, kept up with the head while a page uses it. */
export function useEvents(): EventLog {
  const store = useContext(EventContext);
  if (!store) throw new Error("useEvents outside of the app");
  const { block } = useHead();
  useEffect(() => {
    if (block !== undefined) store.extend(block);
  }, [store, block]);
  return useSyncExternalStore(store.subscribe, store.get);
}
