// What people give by mistake, and what strangers give on purpose: no network is asked.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { parseJsonc } from "./jsonc.ts";
import { createOutput, toJson } from "./output.ts";
import { saveFiles } from "./saveFiles.ts";
import { captureCli } from "./testing/captureCli.ts";

let dir: string;
const at = (name: string) => join(dir, name);
const write = (name: string, content: string | Uint8Array) => {
  writeFileSync(at(name), content);
  return at(name);
};
const cli = (...argv: string[]) => captureCli([...argv, "--profile", at("profile.json"), "--data-dir", at("data")]);

const rows = (count: number, row: (i: number) => string) => Array.from({ length: count }, (_, i) => row(i)).join("\n");
const MAILS = `text,label\n${rows(60, (i) => `"mail ${i}, ""quoted""\nsecond line",${i % 3 ? "ham" : "spam"}`)}\n`;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "hostile-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(at("profile.json"), { force: true });
});

/** `init` and `check` of one data file. */
async function initAndCheck(name: string, content: string | Uint8Array) {
  const job = at(`${name}.jsonc`);
  const data = write(name, content);
  const made = await cli("init", job, "--data", data);
  return made.code === 0 ? cli("check", job, "--json") : made;
}

describe("data that are good", () => {
  it.each<[string, string, string | Uint8Array]>([
    ["a byte order mark", "bom.csv", `\ufeff${MAILS}`],
    ["Windows line ends", "crlf.csv", MAILS.replaceAll("\n", "\r\n")],
    ["line ends of old Macs", "cr.csv", MAILS.replaceAll("\n", "\r")],
    ["semicolons", "semicolons.csv", MAILS.replaceAll('",', '";').replace("text,", "text;")],
    ["tabs", "tabs.tsv", MAILS.replaceAll('",', '"\t').replace("text,", "text\t")],
    ["classes named like parts of objects", "proto.csv", MAILS.replaceAll("ham", "__proto__")],
    ["columns without a name", "unnamed.csv", `text,,,label\n${rows(60, (i) => `m${i},,,${i % 2}`)}`],
  ])("%s", async (_what, name, content) => {
    const { lines, error } = await initAndCheck(name, content);
    expect(error).toBe("");
    expect(lines[0]).toMatchObject({ ok: true, notes: expect.arrayContaining(["60 rows, all usable."]) });
  });
});

describe("data that cannot be used are refused, with the file and the reason", () => {
  const latin1 = Uint8Array.from(MAILS.replace("mail 7", "m\u00e9l 7"), (letter) => letter.charCodeAt(0));
  it.each<[string, string, string | Uint8Array, string]>([
    ["another encoding", "latin1.csv", latin1, "Line 16 is not UTF-8"],
    ["UTF-16", "utf16.csv", Buffer.from(`\ufeff${MAILS}`, "utf16le"), "Line 1 is not UTF-8"],
    ["no file of texts at all", "noise.csv", Uint8Array.from({ length: 4_000 }, (_, i) => (i * 7_919) % 251), "UTF-8"],
    ["nothing", "empty.csv", "", "holds no row"],
    ["a header alone", "header.csv", "text,label\n", "holds no row"],
    ["a column named twice", "twice.csv", MAILS.replace("text,label", "text,text"), 'the column "text" twice'],
    [
      "rows without a class",
      "unlabelled.csv",
      MAILS.replaceAll(",spam", ","),
      "20 of 60 rows are bad (line 2: no label in",
    ],
    ["a quote that is not closed", "open.csv", `${MAILS}"open,ham\n`, "line 122: a quote is not closed"],
    ["one class", "one.csv", MAILS.replaceAll("spam", "ham"), "one class only: ham"],
    ["a class for each row", "each.csv", `text,label\n${rows(60, (i) => `m${i},c${i}`)}`, "60 classes in 60 rows"],
    [
      "one text over and over",
      "same.csv",
      `text,label\n${rows(60, (i) => `same,${i % 2}`)}`,
      "equal ones count as one",
    ],
    ["lines that are no JSON", "bad.jsonl", '{"text":"a","label":"b"}\nnot json\n[1]\nnull\n', "3 of 4 rows are bad"],
    ["fields that are no text", "deep.jsonl", '{"text":{"a":1},"label":["x"]}\n', "It has: none"],
    ["numbers without their template", "numbers.csv", "a,b,label\n1,2,x\n", "--template mlp"],
  ])("%s", async (_what, name, content, reason) => {
    const { code, error } = await initAndCheck(name, content);
    expect(error).toContain(name);
    expect(error).toContain(reason);
    expect(error).toContain("hint: ");
    expect(code).toBe(1);
  });

  it("files too large to be read, and what is no file", async () => {
    // A hole: it takes no room.
    truncateSync(write("vast.csv", ""), 600 * 2 ** 20);
    const vast = await cli("init", at("vast.jsonc"), "--data", at("vast.csv"), "--json");
    expect(vast.lines).toMatchObject([{ error: { code: "FILE_TOO_LARGE", hint: expect.stringContaining("524 MB") } }]);
    const endless = await cli("init", at("zero.jsonc"), "--data", "/dev/zero", "--json");
    expect(endless.lines).toMatchObject([
      { error: { code: "JOB_FILE_MISSING", message: "/dev/zero is no plain file" } },
    ]);
  });

  it("tells a program the kind of it", async () => {
    const { lines } = await initAndCheck("kind.csv", MAILS.replaceAll(",spam", ","));
    expect(lines[0]).toMatchObject({ error: { code: "BAD_DATASET" } });
  });
});

describe("settings of a job that cannot be met are named as the job file names them", () => {
  it.each<[string, unknown, string]>([
    ["training.steps", 1e9, "<=10000000"],
    ["training.batch", 3, "must be even"],
    ["training.learningRate", 1e30, "<=1"],
    ["training.seed", 2 ** 40, "<=4294967295"],
    ["model.heads", 7, "must be a multiple of heads"],
    ["model.layers", 0, ">=1"],
    ["model.sequence", 0, ">=1"],
    ["model.vocabulary", 1, ">=16"],
    ["data.heldOut", 0.9, "<=0.5"],
    ["data.file", "data.xlsx", "must end in .csv, .tsv or .jsonl"],
    ["acceptance.target", 2, "<=1"],
    ["checkpoint.traceInterval", 0, ">=1"],
  ])("%s: %s", async (field, value, reason) => {
    rmSync(at("base.jsonc"), { force: true });
    expect((await cli("init", at("base.jsonc"), "--data", write("base.csv", MAILS))).code).toBe(0);
    const file = parseJsonc(readFileSync(at("base.jsonc"), "utf8")) as { job: Record<string, Record<string, unknown>> };
    const [part = "", name = ""] = field.split(".");
    file.job[part] = { ...file.job[part], [name]: value };
    const { code, lines } = await cli("check", write("changed.jsonc", JSON.stringify(file)), "--json");
    expect(code).toBe(1);
    const { error } = lines[0] as { error: { code: string; message: string } };
    expect(error.code).toBe("JOB_FILE_INVALID");
    expect(error.message).toContain(`job.${field === "model.heads" ? "model.width" : field}: `);
    expect(error.message).toContain(reason);
  });

  it.each<[string, string | Uint8Array, string]>([
    ["cut off", "{", "JOB_FILE_INVALID"],
    ["no object", "[]", "JOB_FILE_INVALID"],
    ["nothing", "", "JOB_FILE_INVALID"],
    ["noise", Uint8Array.from({ length: 100 }, (_, i) => 200 + (i % 50)), "NOT_UTF8"],
    ["a prototype", '{"__proto__":{"job":1}}', "JOB_FILE_INVALID"],
    ["a spec without its money", '{"spec":"x","blobs":[]}', "JOB_FILE_INVALID"],
  ])("a job file that is damaged: %s", async (_what, content, kind) => {
    const { code, lines } = await cli("check", write("damaged.jsonc", content), "--json");
    expect(code).toBe(1);
    expect(lines[0]).toMatchObject({ error: { code: kind } });
  });

  it("a byte order mark before a job file is no part of it", async () => {
    rmSync(at("marked.jsonc"), { force: true });
    await cli("init", at("marked.jsonc"), "--data", write("marked.csv", MAILS));
    write("marked.jsonc", `\ufeff${readFileSync(at("marked.jsonc"), "utf8")}`);
    expect(await cli("check", at("marked.jsonc"))).toMatchObject({ code: 0, error: "" });
  });
});

describe("the number of a job or of a checkpoint that is none is told before the network is asked", () => {
  const NONE = ["0", "-1", "1.5", "1e3", "0x1", "", " 1", "01", "1n", "\u0661", "9".repeat(20), "9".repeat(4_000)];
  it.each<[string, ...string[]]>([
    ["show"],
    ["watch"],
    ["fetch"],
    ["verify"],
    ["cancel"],
    ["dispute", "--checkpoint", "1", "--reason", "x"],
  ])("%s", async (command, ...flags) => {
    for (const job of NONE) {
      const { code, lines } = await cli(command, job, ...flags, "--json");
      expect([code, lines], job.slice(0, 30)).toMatchObject([2, [{ error: { code: "USAGE" } }]]);
    }
  });

  it.each(["fetch", "verify", "dispute"])("%s --checkpoint", async (command) => {
    // The last one is of job 2.
    for (const checkpoint of [...NONE.filter((one) => one !== "-1"), (2n ** 33n + 1n).toString()]) {
      const flags = command === "dispute" ? ["--reason", "x"] : [];
      const { code, lines } = await cli(command, "1", "--checkpoint", checkpoint, ...flags, "--json");
      expect([code, lines], checkpoint.slice(0, 30)).toMatchObject([2, [{ error: { code: "USAGE" } }]]);
    }
  });
});

describe("as a process", () => {
  // Built, as a user has it.
  const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
  function run(argv: string[], stdout: "pipe" | number = "pipe") {
    const child = spawn(process.execPath, [main, ...argv], { stdio: ["ignore", stdout, "pipe"] });
    const said: string[] = [];
    child.stderr?.on("data", (piece) => said.push(String(piece)));
    return { child, ended: once(child, "close").then(([code, signal]) => ({ code, signal, error: said.join("") })) };
  }

  it("it ends quietly when nobody reads what it says, and says when that cannot be written", async () => {
    const unread = run(["completion", "bash"]);
    unread.child.stdout?.destroy();
    const help = run(["--help"]);
    help.child.stdout?.destroy();
    const full = openSync("/dev/full", "w");
    const unwritten = run(["completion", "bash"], full);
    expect(await unread.ended).toEqual({ code: 0, signal: null, error: "" });
    expect(await help.ended).toEqual({ code: 0, signal: null, error: "" });
    expect(await unwritten.ended).toMatchObject({
      code: 1,
      error: expect.stringMatching(/^error: cannot write the output: .*\n$/),
    });
    closeSync(full);
  });

  it("Ctrl-C ends it at once while it reads a large file", async () => {
    const row = `"${"win money now ".repeat(8)}",ham\n"see you",spam\n`;
    const data = write("large.csv", `text,label\n${row.repeat(100_000)}`);
    await cli("init", at("large.jsonc"), "--data", data);
    const { child, ended } = run(["check", at("large.jsonc")]);
    const [said] = await once(child.stderr as Readable, "data");
    expect(String(said)).toMatch(/reading large\.csv: its \d+ MB take a while/);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: null, signal: "SIGINT" });
  });
});

describe("wrong usage is told before the network is asked, with exit code 2", () => {
  it.each<[string, string[], string]>([
    ["no number of a job", ["show", "1e3"], "no job number"],
    ["no amount", ["faucet", "abc"], "faucet: expected an amount"],
    ["a negative amount", ["faucet", "-5"], "faucet: expected an amount"],
    ["nothing at all", ["faucet", "0"], "more than 0"],
    ["no budget", ["post", "none.jsonc", "--budget", "much"], "--budget: expected an amount"],
    ["an empty name", ["post", "none.jsonc", "--name", ""], "--name: expected some text"],
    ["a state that is none", ["watch", "1", "--until", "never"], "--until never"],
    ["a checkpoint that is none", ["fetch", "1", "--checkpoint", "0"], "no checkpoint"],
    ["no folder", ["fetch", "1", "--out", ""], "--out: expected some text"],
    ["no reason", ["dispute", "1", "--checkpoint", "1", "--reason", " "], "--reason: expected some text"],
    ["a runtime that is none", ["verify", "1", "--runtime", "cuda"], "--runtime: expected one of native, wasm"],
    ["threads that are none", ["verify", "1", "--threads", "0"], "--threads: expected a whole number from 1"],
    ["no count", ["list", "--limit", "abc"], "--limit: expected a whole number"],
    ["nobody's jobs", ["list"], "whose jobs?"],
    ["nobody's balance", ["balance"], "whose balance?"],
    ["no address", ["balance", "0x70997970c51812dc3A010C7d01b50e0d17dc79C8"], "no address"],
    ["no steps", ["init", "x.jsonc", "--steps", "0"], "from 1 to 9999999"],
    ["no address of a chain", ["list", "--rpc", "foo"], "--rpc: expected an address"],
    ["no command", [], "which command?"],
  ])("%s", async (_what, argv, text) => {
    const { code, lines } = await cli(...argv, "--json");
    expect(code).toBe(2);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ error: { code: expect.any(String), message: expect.stringContaining(text) } });
  });

  it("says its version", async () => {
    expect((await cli("--version")).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("no key and no password in what is printed", () => {
  it.each<[string, string]>([
    ["too large for a key", "f".repeat(64)],
    ["nought", "0".repeat(64)],
    ["too short", "abc123"],
  ])("a key that is none: %s", async (_what, digits) => {
    vi.stubEnv("GPUCHAIN_PRIVATE_KEY", `0x${digits}`);
    const { code, out, error } = await cli("balance", "--json");
    expect(code).toBe(1);
    expect(error).toContain("GPUCHAIN_PRIVATE_KEY is no key");
    for (const shown of [digits, BigInt(`0x${digits}`).toString()])
      if (shown.length > 1) expect(out + error).not.toContain(shown);
  });

  it("an address that cannot be read, with a password in it", async () => {
    const { out, error } = await cli("list", "--all", "--rpc", "htp://me:hush-hush@host", "--json");
    expect(error).toContain("--rpc: cannot be used");
    expect(out + error).not.toContain("hush-hush");
  });
});

describe("a profile file that cannot be used", () => {
  it.each<[string, string, string]>([
    ["cut off", "{", "no profile file"],
    ["another form", "[]", "no profile file"],
    [
      "no address of a chain",
      '{"networks":{"x":{"rpc":"nonsense","deployment":"d"}}}',
      "networks.x.rpc: must start with",
    ],
    ["no deployment", '{"networks":{"x":{"rpc":"http://h"}}}', "networks.x.deployment"],
    ["a network that it lacks", '{"networks":{"y":{"rpc":"http://h","deployment":"d"}}}', 'no network "x"'],
  ])("%s", async (_what, content, text) => {
    write("profile.json", content);
    const { code, error } = await cli("list", "--all", "--network", "x");
    expect(code).toBe(1);
    expect(error).toContain(text);
  });

  it("says when others can read the credentials in it", async () => {
    const networks = { x: { rpc: "http://me:hush@127.0.0.1:1", deployment: "none.json" } };
    const warned = async (mode: number) => {
      chmodSync(write("profile.json", JSON.stringify({ networks })), mode);
      const { error } = await cli("list", "--all", "--network", "x");
      expect(error).not.toContain("hush");
      return error.includes("other users of this machine can read it");
    };
    expect(await warned(0o644)).toBe(true);
    expect(await warned(0o600)).toBe(false);
  });

  it.each(["__proto__", "constructor"])("no network has the name %s unless it is there", async (name) => {
    expect((await cli("list", "--all", "--network", name)).error).toContain(`there is no network "${name}"`);
  });
});

describe("what strangers wrote does not reach the terminal as it is", () => {
  const HOSTILE = "\u001b[2Jname\u0007\u009b31m\u202etxt";
  it("neither in results nor in errors", async () => {
    const said: string[] = [];
    const out = { write: (text: string) => said.push(text) };
    createOutput(false, { out, error: out }).result({}, () => [`provider ${HOSTILE}`, "second\tline"]);
    createOutput(false, { out, error: out }).progress(HOSTILE);
    expect(said).toEqual([
      "provider \ufffd[2Jname\ufffd\ufffd31m\ufffdtxt\nsecond\tline\n",
      "\ufffd[2Jname\ufffd\ufffd31m\ufffdtxt\n",
    ]);
    const { error } = await cli("init", at("never.jsonc"), "--data", write("esc.csv", `a${HOSTILE},b\n1,2\n`));
    expect(error).toContain("name");
    for (const mark of ["\u001b", "\u009b", "\u202e"]) expect(error).not.toContain(mark);
  });

  it("nor in JSON, which says the same", () => {
    const json = toJson({ name: HOSTILE });
    for (const mark of ["\u001b", "\u009b"]) expect(json).not.toContain(mark);
    expect(JSON.parse(json)).toEqual({ name: HOSTILE });
  });
});

describe("saveFiles", () => {
  it("leaves nothing half written when one file cannot be written", () => {
    mkdirSync(at("out/b/inside"), { recursive: true });
    write("out/a", "old");
    const files = new Map([
      ["a", "new"],
      ["c", "new"],
    ]);
    mkdirSync(at("out/.c.part"));
    expect(() => saveFiles(at("out"), files)).toThrow(expect.objectContaining({ code: "FILE_NOT_WRITTEN" }));
    expect(readFileSync(at("out/a"), "utf8")).toBe("old");
    saveFiles(at("out"), files);
    expect(readdirSync(at("out")).sort()).toEqual(["a", "b", "c"]);
  });

  it("says so when a file stands where the folder should be", () => {
    expect(() => saveFiles(write("file", ""), new Map([["a", ""]]))).toThrow(
      expect.objectContaining({ code: "FILE_NOT_WRITTEN", hint: expect.stringContaining("--out") }),
    );
  });
});
