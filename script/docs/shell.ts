// A shell that keeps its variables from one block of a page to the next, as a reader's terminal does.
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Block } from "./blocks.ts";

export interface DocsShell {
  /** Runs a block to its end, or, in the background, until its text appears. @returns what it wrote; rejects when it fails */
  run(block: Block): Promise<string>;
  /** Ends it with everything it started. */
  close(): Promise<void>;
}

export interface DocsShellOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** told everything that is written */
  onOutput: (text: string) => void;
  /** Longest that one block may take, milliseconds. */
  timeoutMs: number;
}

export function openShell({ cwd, env, onOutput, timeoutMs }: DocsShellOptions): DocsShell {
  // A group of its own, so that what a block started in the background ends with the page.
  const child: ChildProcess = spawn("bash", ["--noprofile", "--norc"], {
    cwd,
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let output = "";
  let check: () => void = () => undefined;
  const take = (piece: Buffer) => {
    const text = piece.toString();
    output += text;
    onOutput(text.replaceAll(/^@@done \d+\n/gm, ""));
    check();
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  child.stdin?.write("set -eo pipefail\n");
  let count = 0;

  return {
    async run(block) {
      count += 1;
      const file = path.join(cwd, `.block-${count}.sh`);
      writeFileSync(file, `${block.code}\n`);
      output = "";
      const done = `@@done ${count}\n`;
      const until = block.background ?? done;
      const finished = new Promise<void>((resolve) => {
        check = () => output.includes(until) && resolve();
      });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`took longer than ${timeoutMs / 1000} s`)), timeoutMs);
      });
      const died = exited.then((code) => {
        throw new Error(`failed with exit code ${code}`);
      });
      const command = `source '${file}' </dev/null`;
      child.stdin?.write(block.background === undefined ? `${command}\necho '${done.trim()}'\n` : `${command} &\n`);
      try {
        await Promise.race([finished, late, died]);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`${block.page}:${block.line}: the block ${reason}\n${block.code}\n--- its output:\n${output}`);
      } finally {
        clearTimeout(timer);
        died.catch(() => undefined);
      }
      const said = output.replace(done, "");
      if (block.expect !== undefined && !said.includes(block.expect)) {
        throw new Error(`${block.page}:${block.line}: the output lacks "${block.expect}"\n--- its output:\n${said}`);
      }
      return said;
    },
    async close() {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
      await exited;
    },
  };
}
