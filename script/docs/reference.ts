// `docs/api`: the reference, made from the declarations that the compiler writes, so from the source. `--check` compares instead.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/root.ts";

const FOLDER = path.join(root, "docs/api");
const DIST = path.join(root, "sdk/dist");
/** Generated ABIs would fill the page with themselves; they are their own reference. */
const LEFT_OUT = new Set(["abis"]);
/** Longest declaration that is shown whole, characters. */
const MAX_LENGTH = 2_500;

interface Entry {
  /** as imported: `chain` of `@gpuchain/sdk/chain` */
  name: string;
  file: string;
}

interface Symbol_ {
  name: string;
  declaration: string;
  doc: string;
}

/** Every entry point of the package with its page. */
function makePages(): Map<string, string> {
  const { exports } = JSON.parse(readFileSync(path.join(root, "sdk/package.json"), "utf8")) as {
    exports: Record<string, { types: string } | string>;
  };
  const entries = Object.entries(exports).flatMap(([key, target]): Entry[] => {
    const name = key.slice(2);
    if (typeof target === "string" || LEFT_OUT.has(name)) return [];
    return [{ name, file: path.join(root, "sdk", target.types) }];
  });
  const pages = new Map<string, string>();
  const index = ["# Reference of `@gpuchain/sdk`", "", "Made from the source by `npm run generate`; do not edit.", ""];
  for (const { name, file } of entries) {
    const symbols = symbolsOf(file);
    const page = `${name.replaceAll("/", "-")}.md`;
    pages.set(page, renderPage(name, symbols));
    index.push(
      `- [\`@gpuchain/sdk/${name}\`](${page}): ${symbols
        .filter(isValue)
        .map(({ name: one }) => `\`${one}\``)
        .join(", ")}`,
    );
  }
  pages.set("README.md", `${index.join("\n")}\n`);
  return pages;
}

const isValue = ({ declaration }: Symbol_) => !/^export (declare )?(type|interface) /.test(declaration);

function renderPage(entry: string, symbols: readonly Symbol_[]): string {
  const ordered = [...symbols].sort((a, b) => Number(isValue(b)) - Number(isValue(a)) || (a.name < b.name ? -1 : 1));
  const parts = ordered.map(({ name, declaration, doc }) => {
    const { text, example } = splitDoc(doc);
    const code = shorten(declaration.replace(/^export (declare )?/, ""));
    return [
      `## ${name}\n`,
      ...(text === "" ? [] : [`${text}\n`]),
      `\`\`\`typescript skip="declaration"\n${code}\n\`\`\`\n`,
      ...(example === "" ? [] : [`\`\`\`typescript skip="compiled from the source"\n${example}\n\`\`\`\n`]),
    ].join("\n");
  });
  return `# \`@gpuchain/sdk/${entry}\`\n\n${parts.join("\n")}`;
}

/** ABIs, and types that the compiler spelled out from them, would bury the rest. */
function shorten(code: string): string {
  if (code.length <= MAX_LENGTH) return code;
  const head = code.slice(0, code.search(/[:=] /)).trim();
  return `${head}; // spelled out in the declaration file`;
}

function splitDoc(doc: string): { text: string; example: string } {
  const plain = doc
    .replace(/^\s*\/\*\*\s?/, "")
    .replace(/\s*\*\/\s*$/, "")
    .replaceAll(/^\s*\* ?/gm, "")
    .trim();
  const [before = "", ...examples] = plain.split(/^@example\s*$/m);
  const tags = before
    .trim()
    .replaceAll(/\{@link ([^}]+)\}/g, "`$1`")
    .replaceAll(/^@(\w+) (.*)$/gm, "- *$1* $2");
  return { text: tags.trim(), example: examples.join("\n\n").trim() };
}

/** What a declaration file exports, followed through its re-exports. */
function symbolsOf(file: string, wanted?: ReadonlyMap<string, string>): Symbol_[] {
  const text = readFileSync(file, "utf8");
  const found: Symbol_[] = [];
  for (const [, list = "", from = ""] of text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)";/gm)) {
    const names = new Map(
      list
        .split(",")
        .map((part) => part.trim().replace(/^type /, ""))
        .filter((part) => part !== "")
        .map((part) => {
          const [name = "", as = name] = part.split(" as ");
          return [name, as];
        }),
    );
    found.push(...symbolsOf(resolveFrom(file, from), names));
  }
  for (const [, from = ""] of text.matchAll(/^export \* from "([^"]+)";/gm))
    found.push(...symbolsOf(resolveFrom(file, from)));
  found.push(...declarationsOf(text));
  if (wanted === undefined) return found;
  return found.flatMap((one) => {
    const as = wanted.get(one.name);
    return as === undefined ? [] : [{ ...one, name: as }];
  });
}

const resolveFrom = (file: string, specifier: string) =>
  path.resolve(path.dirname(file), specifier.replace(/\.(js|ts)$/, ".d.ts"));

const HEAD = /^export (?:declare )?(?:abstract )?(?:async )?(?:function|class|interface|type|const|let) (\w+)/;

/** Exported declarations of a declaration file's text, each with the comment before it. They end where their brackets do. */
function declarationsOf(text: string): Symbol_[] {
  const lines = text.split("\n");
  const found: Symbol_[] = [];
  let doc: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith("/**")) {
      const from = at;
      while (!(lines[at] ?? "").includes("*/")) at += 1;
      doc = lines.slice(from, at + 1);
      continue;
    }
    const name = HEAD.exec(line)?.[1];
    if (name !== undefined) {
      const from = at;
      if (!isComplete(line)) at = lastLine(lines, from);
      const declaration = lines.slice(from, at + 1).join("\n");
      const known = found.find((one) => one.name === name);
      if (known === undefined) found.push({ name, declaration, doc: doc.join("\n") });
      else known.declaration += `\n${declaration}`;
    }
    if (line.trim() !== "") doc = [];
  }
  return found;
}

/** The compiler indents all but the first and the last line of a declaration. */
function lastLine(lines: readonly string[], from: number): number {
  const length = lines.slice(from + 1).findIndex((line) => /^(\}|[^\s].*[;}])$/.test(line));
  return length === -1 ? lines.length - 1 : from + 1 + length;
}

function isComplete(text: string): boolean {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$|"(?:\\.|[^"\\])*"/gm, "");
  let depth = 0;
  for (const char of code.replaceAll("=>", "")) {
    if ("{([".includes(char)) depth += 1;
    if ("})]".includes(char)) depth -= 1;
  }
  return depth === 0 && /[;}]\s*$/.test(code);
}

/** Writes the reference, or with `check` says where it differs. */
export function generateReference(check: boolean): void {
  if (!existsSync(DIST)) throw new Error("build first: npm run build");
  const pages = makePages();
  const present = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  if (check) {
    const stale = [...pages].filter(([name, text]) => {
      const file = path.join(FOLDER, name);
      return !existsSync(file) || readFileSync(file, "utf8") !== text;
    });
    const over = present.filter((name) => !pages.has(name));
    if (stale.length + over.length === 0) return;
    console.error(`docs/api is not what the source says: ${[...stale.map(([name]) => name), ...over].join(", ")}`);
    console.error("  hint: npm run generate");
    process.exitCode = 1;
    return;
  }
  mkdirSync(FOLDER, { recursive: true });
  for (const name of present) rmSync(path.join(FOLDER, name));
  for (const [name, text] of pages) writeFileSync(path.join(FOLDER, name), text);
}
