import { useCallback, useEffect, useRef, useState } from "react";
import type { ChainAccess } from "./access.ts";
import { type ClientState, useClient } from "./useClient.ts";

export interface ChainRead<T> {
  readonly data: T | undefined;
  /** epoch ms at which `data` was read */
  readonly readAt: number | undefined;
  readonly error: string | undefined;
  readonly reading: boolean;
  readonly client: ClientState;
  readonly refresh: () => void;
}

/**
 * Reads something of the chain, again every `everyMs` while the page is visible (0: once). The last answer stays while a
 * later one fails, with its age beside it.
 */
export function useChainRead<T>(
  read: (chain: ChainAccess) => Promise<T>,
  dependencies: readonly unknown[],
  everyMs = 0,
): ChainRead<T> {
  const client = useClient();
  const [result, setResult] = useState<{ data?: T; readAt?: number; error?: string; reading: boolean }>({
    reading: true,
  });
  const latest = useRef(read);
  latest.current = read;
  const run = useRef<() => void>(() => undefined);

  useEffect(() => {
    if (client.state !== "ready") {
      setResult((r) => ({ ...r, reading: client.state === "loading" }));
      return;
    }
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const once = async () => {
      clearTimeout(timer);
      setResult((r) => ({ ...r, reading: true }));
      try {
        const data = await latest.current(client.chain);
        if (!gone) setResult({ data, readAt: Date.now(), reading: false });
      } catch (error) {
        const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
        if (!gone) setResult((r) => ({ ...r, error: reason, reading: false }));
      }
      if (!gone && everyMs > 0) timer = setTimeout(again, everyMs);
    };
    const again = () => {
      if (document.visibilityState === "visible") void once();
      else timer = setTimeout(again, 1_000);
    };
    run.current = () => void once();
    void once();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [client, everyMs, ...dependencies]);

  const refresh = useCallback(() => run.current(), []);
  return {
    data: result.data,
    readAt: result.readAt,
    error: result.error,
    reading: result.reading,
    client,
    refresh,
  };
}
