// Once for all browser tests: the site is built, where it is stale, and one Chromium is started; files get pages of their own in it.
import { type BrowserServer, chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { chromiumArgs, chromiumPath } from "./browser.ts";
import { buildSite } from "./site.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** where the shared Chromium listens; empty without one */
    chromium: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let server: BrowserServer | undefined;
  buildSite();
  if (chromiumPath) server = await chromium.launchServer({ executablePath: chromiumPath, args: [...chromiumArgs] });
  else console.warn("SKIPPED: the explorer in Chromium; install the Debian package chromium or set CHROMIUM");
  provide("chromium", server?.wsEndpoint() ?? "");
  return async () => {
    await server?.close();
  };
}
