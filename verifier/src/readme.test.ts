import { readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describeConfig } from "@gpuchain/sdk/daemon";
import { expect, it } from "vitest";
import { configTable } from "./config.ts";

const path = join(import.meta.dirname, "../README.md");
/** A formatter may pad the columns of a table. */
const unpadded = (text: string): string =>
  text
    .replace(/ +/g, " ")
    .replace(/-{3,}/g, "---")
    .replace(/\| --- (?=\|)/g, "|---");

it("README lists the settings as the table in config.ts has them (UPDATE=1 writes them)", () => {
  const text = readFileSync(path, "utf8");
  const table = describeConfig(configTable)
    .replaceAll(homedir(), "~")
    .replace(/`[^`]*`/g, (code) => code.replace(/(?<!\\)\|/g, "\\|"));
  const expected = text.replace(/(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/, `$1\n${table}\n\n$2`);
  if (process.env.UPDATE) writeFileSync(path, expected);
  expect(unpadded(readFileSync(path, "utf8"))).toBe(unpadded(expected));
});
