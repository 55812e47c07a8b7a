import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { backoff, retry } from "./backoff.ts";
import { GpuchainError } from "./errors.ts";
import { exitWith, formatError } from "./exit.ts";
import { createLogger } from "./logger.ts";
import { redactUrl, redactUrlsIn } from "./redact.ts";
import { abortable, sleep } from "./sleep.ts";

describe("createLogger", () => {
  const logged = (json: boolean, write: (log: ReturnType<typeof createLogger>) => void) => {
    const lines: string[] = [];
    write(createLogger({ name: "node", json, colour: false, destination: { write: (line) => lines.push(line) } }));
    return lines.join("");
  };

  it("writes JSON with an epoch time and the fields, bigints included", () => {
    const line = logged(true, (log) =>
      log.child({ job: 7n }).info({ event: "lease.acquired", fence: 3 }, "took the lease"),
    );
    expect(JSON.parse(line)).toMatchObject({
      level: "info",
      name: "node",
      job: 7,
      event: "lease.acquired",
      fence: 3,
      msg: "took the lease",
    });
    expect(Math.abs(JSON.parse(line).time - Date.now())).toBeLessThan(60_000);
  });

  it("writes one readable line otherwise, with an error's hint", () => {
    const error = new GpuchainError("X", "it broke", { hint: "mend it" });
    const line = logged(false, (log) => log.warn({ err: error, job: 7 }, "could not go on"));
    expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} warn node: could not go on \(it broke\) hint: mend it job=7\n$/);
  });

  it.each([true, false])("hides keys, passwords and credentials in addresses (json: %s)", (json) => {
    const line = logged(json, (log) => {
      log.error(
        {
          privateKey: "0xabc123",
          config: { password: "hunter2" },
          err: new Error("GET https://u:topsecret@h/v2/0123456789abcdef0123 failed"),
        },
        "x",
      );
    });
    for (const secret of ["0xabc123", "hunter2", "topsecret", "0123456789abcdef"]) expect(line).not.toContain(secret);
  });
});

describe("redactUrl", () => {
  it.each([
    ["http://127.0.0.1:8545", "http://127.0.0.1:8545"],
    ["https://base-sepolia.g.example.com/v2/AbCdEfGhIjKlMnOpQrSt", "https://base-sepolia.g.example.com/v2/***"],
    ["wss://host/ws?apikey=1", "wss://host/ws?***"],
    ["not an address", "not an address"],
  ])("%s", (raw, shown) => expect(redactUrl(raw)).toBe(shown));

  it("works inside a sentence", () => {
    expect(redactUrlsIn("HTTP request failed. URL: https://h/v2/0123456789abcdef0123. Stop.")).toBe(
      "HTTP request failed. URL: https://h/v2/***. Stop.",
    );
  });
});

describe("retry", () => {
  it("waits longer each time, at least as long as asked, and reports", async () => {
    const waits: number[] = [];
    let calls = 0;
    const result = await retry(
      async () => {
        calls += 1;
        if (calls < 4) throw new Error("again");
        return calls;
      },
      { baseMs: 1, jitter: 0, atLeastMs: () => 3, onRetry: (_error, waitMs) => waits.push(waitMs) },
    );
    expect(result).toBe(4);
    expect(waits).toEqual([3, 3, 4]);
  });

  it("stops at a final error, at the last attempt, and at once when aborted", async () => {
    const fail = () => Promise.reject(new Error("no"));
    await expect(retry(fail, { isRetryable: () => false })).rejects.toThrow("no");
    await expect(retry(fail, { attempts: 2, baseMs: 1 })).rejects.toThrow("no");
    const controller = new AbortController();
    const waiting = retry(fail, { baseMs: 60_000, signal: controller.signal });
    controller.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
  });

  it("keeps its pauses within bounds", () => {
    const pauses = backoff({ baseMs: 100, maxMs: 1_000, jitter: 0.5, random: () => 1 });
    expect([1, 2, 3, 4, 5, 6].map(() => pauses.next())).toEqual([50, 100, 200, 400, 500, 500]);
  });
});

describe("abortable and sleep", () => {
  it("end with the signal's reason", async () => {
    const controller = new AbortController();
    const both = [abortable(new Promise(() => undefined), controller.signal), sleep(60_000, controller.signal)];
    controller.abort(new Error("over"));
    for (const one of both) await expect(one).rejects.toThrow("over");
  });
});

describe("exitWith", () => {
  it("says what happened and what to do, and tells wrong usage from failure", () => {
    const written: string[] = [];
    const target = { stderr: { write: (text: string) => written.push(text) }, exitCode: undefined } as unknown as Pick<
      NodeJS.Process,
      "stderr" | "exitCode"
    >;
    exitWith(new GpuchainError("USAGE", "unknown flag", { hint: "see --help" }), target);
    expect(target.exitCode).toBe(2);
    exitWith(new Error("boom"), target);
    expect(target.exitCode).toBe(1);
    expect(written).toEqual(["error: unknown flag\n  hint: see --help\n", "error: boom\n"]);
    expect(formatError(new GpuchainError("X", "m"))).toBe("error: m");
  });
});

describe("createShutdown", () => {
  const run = (body: string) => {
    const module = new URL("./shutdown.ts", import.meta.url).pathname;
    const script = `import { createShutdown } from ${JSON.stringify(module)};\nconst shutdown = createShutdown();\n${body}`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    return { child, lines: createInterface({ input: child.stdout }), ended: once(child, "exit") };
  };

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("ends in order on %s", async (name) => {
    const { child, lines, ended } = run(`
      shutdown.onClose("first", () => console.log("closed first"));
      shutdown.onClose("second", () => console.log("closed second"));
      const alive = setInterval(() => {}, 1000);
      shutdown.signal.addEventListener("abort", async () => { await shutdown.close(); clearInterval(alive); });
      console.log("ready");`);
    const seen: string[] = [];
    lines.on("line", (line) => {
      seen.push(line);
      if (line === "ready") child.kill(name);
    });
    expect(await ended).toEqual([0, null]);
    expect(seen).toEqual(["ready", "closed second", "closed first"]);
  });

  it("ends at once on the second signal, whatever hangs", async () => {
    const { child, lines, ended } = run(`
      setInterval(() => {}, 1000);
      shutdown.signal.addEventListener("abort", () => console.log("stopping"));
      console.log("ready");`);
    lines.on("line", () => child.kill("SIGINT"));
    expect(await ended).toEqual([130, null]);
  });
});
