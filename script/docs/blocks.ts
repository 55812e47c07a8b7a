// Fenced blocks of the documentation, and what is to be done with each: a block of sh or ts is run by the documentation's test, unless it
// says why not.

/** A fenced block of a page. */
export interface Block {
  page: string;
  /** of the opening fence, from 1 */
  line: number;
  language: string;
  code: string;
  /** executed by the test */
  run: boolean;
  /** why it is not */
  skip?: string;
  /** must appear in its output */
  expect?: string;
  /** keeps running until the page ends; the next block starts when this text has appeared in its output */
  background?: string;
}

const RUNNABLE = new Set(["sh", "bash", "ts", "typescript", "js"]);

/** The blocks of a page, in order. @throws Error for a fence that never closes, or an attribute that nobody knows */
export function parseBlocks(page: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; info: string; code: string[] } | undefined;
  for (const [index, text] of markdown.split("\n").entries()) {
    const fence = /^```(.*)$/.exec(text);
    if (fence === null) open?.code.push(text);
    else if (open === undefined) open = { line: index + 1, info: fence[1] ?? "", code: [] };
    else {
      blocks.push({
        page,
        line: open.line,
        code: open.code.join("\n"),
        ...parseInfo(open.info, `${page}:${open.line}`),
      });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${page}:${open.line}: the block is not closed`);
  return blocks;
}

function parseInfo(info: string, where: string): Pick<Block, "language" | "run"> & Partial<Block> {
  const [language = ""] = info.split(" ");
  const found: Pick<Block, "language" | "run"> & Partial<Block> = { language, run: false };
  for (const [, name = "", value] of info.slice(language.length).matchAll(/ ([a-z]+)(?:="((?:\\"|[^"])*)")?/g)) {
    const text = value?.replaceAll('\\"', '"');
    if (name === "run" && text === undefined) found.run = true;
    else if (name === "background" && text) Object.assign(found, { run: true, background: text });
    else if ((name === "skip" || name === "expect") && text) found[name] = text;
    else throw new Error(`${where}: "${name}" is no attribute of a block`);
  }
  return found;
}

/** Blocks that a reader would run and the test does not, without a reason. */
export function unmarked(blocks: readonly Block[]): Block[] {
  return blocks.filter(({ language, run, skip }) => RUNNABLE.has(language) && !run && skip === undefined);
}
