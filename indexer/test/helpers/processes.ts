import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";

export interface RunningProcess {
  child: ChildProcess;
  /** everything written so far, both streams together */
  output(): string;
  /** resolves with the first line that matches; rejects when the process ends without one */
  line(pattern: RegExp): Promise<string>;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** sends the signal and waits for the end */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts a child process whose lines can be awaited. */
export function start(
  file: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string; uid?: number; gid?: number } = {},
): RunningProcess {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  // Nothing outlives the test process, however that ends.
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  let text = "";
  const waiting = new Set<() => void>();
  const take = (chunk: Buffer) => {
    text += chunk.toString();
    for (const check of [...waiting]) check();
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  return {
    child,
    output: () => text,
    exited,
    line(pattern) {
      return new Promise((resolve, reject) => {
        const check = () => {
          const found = text.split("\n").find((line) => pattern.test(line));
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
        exited.then(({ code }) => reject(new Error(`${file} ended with ${code} before ${pattern}:\n${text}`)), reject);
      });
    },
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      return exited;
    },
  };
}

/** A TCP port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") return reject(new Error("no port"));
      server.close(() => resolve(address.port));
    });
  });
}

/** Runs the steps of a clean-up in reverse order, all of them, even when one fails. */
export function createCleanup(): { add(step: () => Promise<unknown> | unknown): void; run(): Promise<void> } {
  const steps: (() => Promise<unknown> | unknown)[] = [];
  return {
    add: (step) => void steps.push(step),
    async run() {
      const failures: unknown[] = [];
      for (const step of steps.splice(0).reverse()) {
        try {
          await step();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, "clean-up failed");
    },
  };
}
