import type { SiteConfig } from "../config/config.ts";
import type { ChainAccess } from "./access.ts";

interface Opened {
  /** the address that was asked for */
  readonly wanted: string | undefined;
  readonly access: Promise<ChainAccess>;
}

const opened = new WeakMap<SiteConfig, Opened>();

/**
 * The site's one connection to contracts; its library loads with the first page that needs it. A failure may be retried.
 *
 * @param rpc the address that answers just now; when the connection goes to another one, it moves
 */
export async function openOnce(config: SiteConfig, rpc: string | undefined): Promise<ChainAccess> {
  const known = opened.get(config);
  if (known) {
    const access = await known.access;
    if (rpc === undefined || rpc === known.wanted || rpc === access.rpc) return access;
    // Somebody else may have moved it meanwhile.
    if (opened.get(config) !== known) return openOnce(config, rpc);
  }
  const access = import("./access.ts").then(({ openChain }) => openChain(config, rpc));
  const next = { wanted: rpc, access };
  opened.set(config, next);
  access.catch(() => opened.get(config) === next && opened.delete(config));
  return access;
}
