// What can be said of the documentation without running it; `npm run test:docs` runs it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../lib/root.ts";
import { parseBlocks, unmarked } from "./blocks.ts";
import { allPages, blocksOf, readPage, STORY } from "./pages.ts";
import { SNIPPETS, sdkExamples, withoutExample, writeSnippets } from "./snippets.ts";

describe("the documentation", () => {
  it("runs every command and snippet, or says why not", () => {
    const blocks = allPages().flatMap(blocksOf);
    expect(unmarked(blocks).map(({ page, line }) => `${page}:${line}`)).toEqual([]);
    const ran = new Set(blocks.filter(({ run }) => run).map(({ page }) => page));
    expect([...ran].sort()).toEqual([...STORY].sort());
  });

  it("points to pages and headings that exist", () => {
    const anchor = (heading: string) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, "")
        .replaceAll(" ", "-");
    const anchors = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchor(heading));
    const dead = allPages().flatMap((page) => {
      const links = [...readPage(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = ""]) => link);
      return links
        .filter((link) => {
          const [file = "", heading] = link.split("#");
          const target = file === "" ? page : path.join(path.dirname(page), file);
          if (!existsSync(path.join(root, target))) return true;
          return heading !== undefined && !anchors(readPage(target)).includes(heading);
        })
        .map((link) => `${page}: ${link}`);
    });
    expect(dead).toEqual([]);
  });

  it("has an example for every action, and all examples and snippets compile", () => {
    const examples = sdkExamples();
    expect(examples.length).toBeGreaterThan(40);
    expect(withoutExample()).toEqual([]);
    const written = writeSnippets();
    const tsc = path.join(root, "node_modules/typescript/bin/tsc");
    const done = spawnSync(process.execPath, [tsc, "-p", SNIPPETS, "--pretty", "false"], {
      encoding: "utf8",
      cwd: root,
    });
    const named = [...written].reduce(
      (text, [file, from]) => text.replaceAll(path.relative(root, file), from),
      done.stdout,
    );
    expect(named).toBe("");
    expect(done.status).toBe(0);
  });
});

describe("parseBlocks", () => {
  it("knows what is to be done with a block", () => {
    const text = [
      '```sh run expect="say \\"hi\\""',
      "echo",
      "```",
      "```json",
      "{}",
      "```",
      '```sh background="up"',
      "x &",
      "```",
    ];
    expect(parseBlocks("p.md", text.join("\n"))).toEqual([
      { page: "p.md", line: 1, language: "sh", code: "echo", run: true, expect: 'say "hi"' },
      { page: "p.md", line: 4, language: "json", code: "{}", run: false },
      { page: "p.md", line: 7, language: "sh", code: "x &", run: true, background: "up" },
    ]);
  });

  it("refuses what it does not understand", () => {
    expect(() => parseBlocks("p.md", "```sh runn\n```")).toThrow('p.md:1: "runn"');
    expect(() => parseBlocks("p.md", "```sh run\n")).toThrow("not closed");
    expect(unmarked(parseBlocks("p.md", '```sh\nrm\n```\n```sh skip="dangerous"\nrm\n```'))).toHaveLength(1);
  });
});
