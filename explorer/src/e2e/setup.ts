// Once for all browser tests: the site is built and one Chromium is started; files get pages of their own in it.
import { type BrowserServer, chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { makeRecording } from "../testing/makeRecording.ts";
import { chromiumArgs, chromiumPath } from "./browser.ts";
import { buildSite } from "./site.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** the built site's folder */
    siteRoot: string;
    /** where the shared Chromium listens; empty without one */
    chromium: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let server: BrowserServer | undefined;
  const built = await buildSite({ "made-up": makeRecording() });
  if (chromiumPath) server = await chromium.launchServer({ executablePath: chromiumPath, args: [...chromiumArgs] });
  else console.warn("SKIPPED: the explorer in Chromium; install the Debian package chromium or set CHROMIUM");
  provide("siteRoot", built.root);
  provide("chromium", server?.wsEndpoint() ?? "");
  return async () => {
    await server?.close();
    built.remove();
  };
}
