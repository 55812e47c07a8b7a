import type { SiteConfig } from "../config/config.ts";
import type { ChainAccess } from "./access.ts";

const opened = new WeakMap<SiteConfig, Promise<ChainAccess>>();

/** The site's one connection to contracts; its library loads with the first page that needs it. A failure may be retried. */
export function openOnce(config: SiteConfig): Promise<ChainAccess> {
  const known = opened.get(config);
  if (known) return known;
  const access = import("./access.ts").then(({ openChain }) => openChain(config));
  opened.set(config, access);
  access.catch(() => opened.delete(config));
  return access;
}
