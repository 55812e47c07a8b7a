// A real Chromium for tests: Debian's, or the one that CHROMIUM names.
import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const candidates = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const chromiumPath = candidates.find((file) => file && existsSync(file));

export const chromiumArgs = ["--no-sandbox", "--disable-dev-shm-usage"] as const;

/** A Chromium of one's own; tests share one instead (`setup.ts`). */
export function launch(): Promise<Browser> {
  if (!chromiumPath) throw new Error("no Chromium: install the Debian package chromium, or set CHROMIUM");
  return chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] });
}

/** Connects to the Chromium that all test files share. Closing the connection leaves it running. */
export const connect = (endpoint: string): Promise<Browser> => chromium.connect(endpoint);

export interface WatchedPage {
  readonly page: Page;
  /** what the page complained about: exceptions, refused content, failed assets */
  readonly problems: string[];
  /** hosts it asked for anything */
  readonly hosts: Set<string>;
  /** leaves it to whoever opens the next one of this site: where the site has a page already, another costs a third of a new one */
  readonly leave: () => Promise<void>;
}

/** A visitor's browser: its pages share what it has cached, and what the site keeps in it. */
export interface Visitor {
  readonly context: BrowserContext;
  /** pages that nobody uses just now, by their site */
  readonly left: Map<string, Page[]>;
}

const SIZE = { width: 1440, height: 900 };

export const newVisitor = async (browser: Browser): Promise<Visitor> => ({
  context: await browser.newContext({ viewport: SIZE }),
  left: new Map(),
});

/**
 * A page whose console, exceptions and requests are watched.
 *
 * @param site where it will go: a page that was there before needs no process of its own, which the site's opener policy would give it
 */
export async function openPage(visitor: Visitor, site: string): Promise<WatchedPage> {
  const { origin } = new URL(site);
  const page = visitor.left.get(origin)?.pop() ?? (await visitor.context.newPage());
  // Generous: the suite may share its machine with a whole network. Nothing waits longer than it must.
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  const hosts = new Set<string>();
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith("blob:") && !request.url().startsWith("data:"))
      hosts.add(new URL(request.url()).host);
  });
  const leave = async () => {
    for (const event of ["pageerror", "console", "request"]) page.removeAllListeners(event);
    await page.unrouteAll();
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
    await page.setViewportSize(SIZE);
    // Something of the same site that does nothing.
    await page.goto(`${origin}/icon.svg`);
    visitor.left.set(origin, [...(visitor.left.get(origin) ?? []), page]);
  };
  return { page, problems, hosts, leave };
}
