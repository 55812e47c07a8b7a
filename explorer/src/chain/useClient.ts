import { useEffect, useState } from "react";
import { useConfig } from "../config/ConfigContext.ts";
import type { ChainAccess } from "./access.ts";
import { openOnce } from "./openOnce.ts";
import { useHead } from "./useHead.ts";

export type ClientState =
  | { readonly state: "none" }
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly reason: string }
  | { readonly state: "ready"; readonly chain: ChainAccess };

/** The chain, for pages that read contracts. Tried again when the RPC comes back; moves to the RPC that answers. */
export function useClient(): ClientState {
  const config = useConfig();
  const { health, rpc } = useHead();
  const offline = config.rpc.length === 0 || !config.deployment;
  const [client, setClient] = useState<ClientState>({ state: offline ? "none" : "loading" });
  const answers = health === "ok" || health === "stalled";
  // biome-ignore lint/correctness/useExhaustiveDependencies: `answers` turning true is the moment to try again
  useEffect(() => {
    if (offline) return;
    let gone = false;
    openOnce(config, rpc).then(
      (chain) =>
        !gone && setClient((now) => (now.state === "ready" && now.chain === chain ? now : { state: "ready", chain })),
      (error: unknown) => {
        if (!gone) setClient({ state: "failed", reason: error instanceof Error ? error.message : String(error) });
      },
    );
    return () => {
      gone = true;
    };
  }, [config, offline, answers, rpc]);
  return client;
}
