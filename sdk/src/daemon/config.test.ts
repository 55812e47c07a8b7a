import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineConfig, loadConfig, redactConfig } from "./config.ts";
import { addConfigFlags, describeConfig } from "./describeConfig.ts";
import { parseBoolean, parseChoice, parseInteger, parseText, parseUrl, parseUsdc } from "./parsers.ts";

const table = defineConfig({
  rpc: {
    description: "the chain",
    flag: "--rpc",
    value: "<url>",
    env: "T_RPC",
    secret: "url",
    parse: parseUrl(["http", "ws"]),
  },
  price: {
    description: "price of a step",
    flag: "--price-per-step",
    value: "<usdc>",
    default: 2_000n,
    parse: parseUsdc,
  },
  threads: {
    description: "threads",
    flag: "--threads",
    value: "<n>",
    env: "T_THREADS",
    optional: true,
    parse: parseInteger({ min: 1, max: 64 }),
  },
  register: { description: "register", flag: "--register", default: false, parse: parseBoolean },
  runtime: {
    description: "runtime",
    flag: "--runtime",
    value: "<name>",
    default: "native",
    parse: parseChoice(["native", "wasm"]),
  },
  password: {
    description: "password of the key file",
    env: "T_PASSWORD",
    secret: true,
    optional: true,
    parse: parseText,
  },
});

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "config-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const rpc = ["--rpc", "http://localhost:8545"];

describe("loadConfig", () => {
  it("takes a flag before the environment before the file before the default", () => {
    const file = join(dir, "c.json");
    writeFileSync(file, JSON.stringify({ rpc: "http://file", threads: 2, runtime: "wasm" }));
    const env = { T_RPC: "http://env", T_THREADS: "3" };
    expect(loadConfig(table, { argv: rpc, env, file })).toMatchObject({
      rpc: "http://localhost:8545",
      threads: 3,
      runtime: "wasm",
      price: 2_000n,
    });
    expect(loadConfig(table, { argv: [], env: {}, file }).rpc).toBe("http://file");
    expect(loadConfig(table, { argv: [...rpc, "--register", "--price-per-step", "0.5"] })).toMatchObject({
      register: true,
      price: 500_000n,
      threads: undefined,
    });
  });

  it.each([
    ["a missing setting", [], {}, "CONFIG_MISSING", "--rpc or set T_RPC"],
    ["a bad address", ["--rpc", "localhost"], {}, "CONFIG_INVALID", "the chain"],
    ["a bad number", [...rpc, "--threads", "65"], {}, "CONFIG_INVALID", "threads"],
    ["an unknown flag", [...rpc, "--prize", "1"], {}, "USAGE", "--help"],
    ["a loose word", [...rpc, "start"], {}, "USAGE", "--help"],
  ])("refuses %s and says what to do", (_what, argv, env, code, hint) => {
    expect(() => loadConfig(table, { argv, env })).toThrowError(
      expect.objectContaining({ code, hint: expect.stringContaining(hint) }),
    );
  });

  it("refuses a file with settings that do not exist, and one that is no JSON object", () => {
    const file = join(dir, "bad.json");
    writeFileSync(file, JSON.stringify({ prize: 1 }));
    expect(() => loadConfig(table, { argv: rpc, file })).toThrowError(
      expect.objectContaining({ code: "CONFIG_UNKNOWN" }),
    );
    writeFileSync(file, "[]");
    expect(() => loadConfig(table, { argv: rpc, file })).toThrowError(/JSON object/);
    expect(() => loadConfig(table, { argv: rpc, file: join(dir, "none.json") })).toThrowError(/cannot read/);
  });

  it("never shows a secret, not in errors and not in the printed configuration", () => {
    const values = loadConfig(table, {
      argv: ["--rpc", "http://user:pw@host/v2/abcdefghijklmnop0123"],
      env: { T_PASSWORD: "hunter2" },
    });
    const shown = JSON.stringify(redactConfig(table, values));
    for (const part of ["hunter2", "pw", "abcdefghijklmnop"]) expect(shown).not.toContain(part);
    expect(shown).toContain("host");
    expect(() =>
      defineConfig({ key: { description: "", parse: parseText, secret: true, flag: "--key" } }),
    ).toThrowError(/secret/);
  });

  it("describes itself for a README and for --help", () => {
    expect(describeConfig(table)).toContain("| rpc | `--rpc <url>` | `T_RPC` | required | the chain |");
    const command = addConfigFlags(new Command().exitOverride(), table);
    expect(command.helpInformation()).toMatch(/--price-per-step <usdc> +price of a step \(default: 2000\)/);
    command.parse(["--rpc", "http://x", "--price-per-step", "1"], { from: "user" });
    expect(loadConfig(table, { flags: command.opts() }).price).toBe(1_000_000n);
  });
});

describe("parseUsdc", () => {
  it.each([
    ["1", 1_000_000n],
    ["0.002", 2_000n],
    ["12.345678", 12_345_678n],
  ])("reads %s", (text, amount) => {
    expect(parseUsdc(text)).toBe(amount);
  });
  it.each(["", "-1", "1.1234567", "1e3", "0x10", "1,5"])("refuses %j", (text) => {
    expect(() => parseUsdc(text)).toThrowError(/at most six decimals/);
  });
});
