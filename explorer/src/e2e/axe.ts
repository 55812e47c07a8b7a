// axe in the page: what it finds wrong with what is shown just now.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResult {
  readonly violations: readonly { id: string; nodes: readonly { html: string; failureSummary: string }[] }[];
}

/** A line for each element that breaks a rule; none when the page is clean. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Once a document: it is half a megabyte, and reading it takes as long as running it.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source);
  return page.evaluate(runAxe);
}

/** Runs in the page. */
async function runAxe(): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResult> } };
  const { violations } = await axe.run({ resultTypes: ["violations"], preload: false });
  return violations.flatMap((v) =>
    v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 160)} ${n.failureSummary.slice(0, 200)}`),
  );
}
