import { type GatewaySession, openSession } from "@gpuchain/sdk/gateway";
import type { LocalAccount } from "viem";

export interface SessionsParameters {
  readonly account: Pick<LocalAccount, "address" | "signMessage">;
  readonly chainId: number;
  readonly fetch?: typeof fetch;
  readonly signal: AbortSignal;
}

/** One authenticated session per gateway, opened when first needed; a failed opening is tried again by the next caller. */
export interface Sessions {
  get(endpoint: string): Promise<GatewaySession>;
}

export function createSessions({ account, chainId, fetch, signal }: SessionsParameters): Sessions {
  const open = new Map<string, Promise<GatewaySession>>();
  return {
    get(endpoint) {
      const known = open.get(endpoint);
      if (known !== undefined) return known;
      const opening = openSession({
        endpoint,
        account,
        chainId,
        signal,
        timeoutMs: 10_000,
        ...(fetch ? { fetch } : {}),
      });
      open.set(endpoint, opening);
      opening.catch(() => open.delete(endpoint));
      return opening;
    },
  };
}
