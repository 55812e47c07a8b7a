import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/root.ts";
import { type Block, parseBlocks } from "./blocks.ts";

/** Pages whose blocks build on each other, in this order, on one network. */
export const STORY = [
  "docs/client.md",
  "sdk/README.md",
  "docs/auditor.md",
  "docs/verifier.md",
  "docs/provider.md",
  "docs/money.md",
];

/** Every page that holds commands or snippets for readers, by its path in the repository. */
export function allPages(): string[] {
  const docs = readdirSync(path.join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`);
  return [...docs, "README.md", "sdk/README.md"];
}

/** A page's text. */
export function readPage(page: string): string {
  return readFileSync(path.join(root, page), "utf8");
}

/** A page's blocks. */
export function blocksOf(page: string): Block[] {
  return parseBlocks(page, readPage(page));
}
