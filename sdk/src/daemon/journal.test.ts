import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isGpuchainError } from "./errors.ts";
import { openJournal } from "./journal.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "journal-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const table = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)";

describe("openJournal", () => {
  it("gives back exactly the columns that were written", () => {
    const journal = openJournal(join(dir, "j.db"), [table]);
    expect(journal.run("INSERT INTO notes VALUES (?, ?, ?)", 1, "a", new Uint8Array([1, 2]))).toBe(1);
    const row = journal.get("SELECT * FROM notes WHERE id = ?", 1);
    expect(Object.keys(row ?? {})).toEqual(["id", "text", "bytes"]);
    expect(row?.bytes).toEqual(new Uint8Array([1, 2]));
    expect(journal.get("SELECT * FROM notes WHERE id = 2")).toBeUndefined();
    expect(journal.all("SELECT id FROM notes")).toEqual([{ id: 1 }]);
    journal.close();
  });

  it("runs each migration once, and refuses a journal from a newer program", () => {
    const path = join(dir, "j.db");
    openJournal(path, [table]).close();
    const second = openJournal(path, [table, "ALTER TABLE notes ADD COLUMN more TEXT"]);
    expect(second.run("INSERT INTO notes (id, more) VALUES (1, 'x')")).toBe(1);
    second.close();
    expect(() => openJournal(path, [table])).toThrowError(/newer version/);
  });

  it("rolls a failed transaction back whole", () => {
    const journal = openJournal(join(dir, "j.db"), [table]);
    expect(() =>
      journal.transaction(() => {
        journal.run("INSERT INTO notes (id) VALUES (1)");
        throw new Error("no");
      }),
    ).toThrowError("no");
    expect(journal.all("SELECT * FROM notes")).toEqual([]);
    // A full disk rolls back by itself; it is told as that, not as the rollback that then fails.
    const { page_count: pages } = journal.get<{ page_count: number }>("PRAGMA page_count") ?? { page_count: 0 };
    journal.get(`PRAGMA max_page_count = ${pages}`);
    const insert = () => {
      for (let id = 1; id <= 100; id++)
        journal.run("INSERT INTO notes (id, text) VALUES (?, ?)", id, "x".repeat(1_000));
    };
    expect(() => journal.transaction(insert)).toThrowError(expect.objectContaining({ code: "DISK_FULL" }));
    expect(journal.all("SELECT * FROM notes")).toEqual([]);
    journal.get("PRAGMA max_page_count = 1000000");
    journal.transaction(insert);
    expect(journal.all("SELECT id FROM notes")).toHaveLength(100);
    journal.close();
  });

  it("refuses a second process, and is free again once the first was killed; nothing committed is lost", async () => {
    const path = join(dir, "j.db");
    openJournal(path, [table]).close();
    const script = `
      import { openJournal } from ${JSON.stringify(new URL("./journal.ts", import.meta.url).pathname)};
      const journal = openJournal(${JSON.stringify(path)}, [${JSON.stringify(table)}]);
      journal.run("INSERT INTO notes (id, text) VALUES (7, 'kept')");
      console.log("held");
      setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script]);
    holder.stderr.pipe(process.stderr);
    await Promise.race([once(holder.stdout, "data"), once(holder, "exit").then(() => expect.fail("the holder ended"))]);
    let refusal: unknown;
    try {
      openJournal(path, [table]);
    } catch (error) {
      refusal = error;
    }
    expect(isGpuchainError(refusal, "JOURNAL_BUSY")).toBe(true);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    const journal = openJournal(path, [table]);
    expect(journal.get("SELECT text FROM notes WHERE id = 7")).toEqual({ text: "kept" });
    journal.close();
  });

  it("names a file that is no journal", () => {
    const path = join(dir, "j.db");
    writeFileSync(path, "this is a text file, longer than a hundred bytes, and no database at all; ".repeat(4));
    expect(() => openJournal(path)).toThrowError(/not a readable journal/);
  });
});
