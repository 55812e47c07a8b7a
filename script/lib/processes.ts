// Starts the processes of a local network and makes sure that none outlives it.
import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** One running process of the network. */
export interface ManagedProcess {
  name: string;
  pid: number;
  /** Settles when the process is gone. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  running(): boolean;
  /** Sends a signal to the process and all it started. */
  signal(signal: NodeJS.Signals): void;
  /** The last lines it wrote, for error messages. */
  tail(): string;
  /** Calls back for every line on stdout from now on. */
  onLine(callback: (line: string) => void): void;
}

export interface StartOptions {
  name: string;
  file: string;
  args: string[];
  env?: Record<string, string>;
  cwd?: string;
}

const reaperPath = fileURLToPath(new URL("../reaper.mjs", import.meta.url));
const TAIL_LINES = 30;

/** Owns a temporary directory and the processes in it; `close` ends them all. A reaper process does the same if this one is killed. */
export class ProcessGroup {
  readonly directory: string;
  readonly processes: ManagedProcess[] = [];
  private readonly reaper: ChildProcess;
  private closing: Promise<void> | undefined;

  constructor(prefix = "gpuchain-") {
    this.directory = mkdtempSync(path.join(tmpdir(), prefix));
    this.reaper = spawn(process.execPath, [reaperPath], { detached: true, stdio: ["pipe", "ignore", "inherit"] });
    this.reaper.unref();
    // A reaper that died early must not take the network down with an EPIPE; it is only the second line of defence.
    this.reaper.stdin?.on("error", () => undefined);
    this.tellReaper({ directory: this.directory });
  }

  /** Starts a process in its own group, with its output in `<directory>/logs/<name>.log`. */
  start({ name, file, args, env, cwd }: StartOptions): ManagedProcess {
    if (this.closing) throw new Error(`the network is closing: ${name} was not started`);
    const child = spawn(file, args, {
      cwd: cwd ?? this.directory,
      env: { ...ownEnvironment(), ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const pid = child.pid;
    const recent: string[] = [];
    const listeners: ((line: string) => void)[] = [];
    const log = createWriteStream(path.join(this.directory, `${name}.log`), { flags: "a" });
    log.on("error", (error) => recent.push(`log of ${name} not written: ${error.message}`));
    const take = (line: string, isOutput: boolean) => {
      log.write(`${line}\n`);
      recent.push(line);
      if (recent.length > TAIL_LINES) recent.shift();
      if (isOutput) for (const listener of listeners) listener(line);
    };
    if (child.stdout) createInterface({ input: child.stdout }).on("line", (line) => take(line, true));
    if (child.stderr) createInterface({ input: child.stderr }).on("line", (line) => take(line, false));
    let alive = pid !== undefined;
    const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
      child.on("error", (error) => {
        alive = false;
        recent.push(error.message);
        resolve({ code: 127, signal: null });
      });
      child.on("exit", (code, signal) => {
        alive = false;
        // What it started dies with it; the group id stays valid as long as any member lives.
        if (pid) killGroup(pid, "SIGKILL");
        this.tellReaper({ group: pid, done: true });
        log.end();
        resolve({ code, signal });
      });
    });
    if (pid) this.tellReaper({ group: pid });
    const managed: ManagedProcess = {
      name,
      pid: pid ?? -1,
      exited,
      running: () => alive,
      signal: (signal) => {
        if (alive && pid) killGroup(pid, signal);
      },
      tail: () => recent.join("\n"),
      onLine: (callback) => listeners.push(callback),
    };
    this.processes.push(managed);
    return managed;
  }

  /** Ends every process (SIGTERM, then SIGKILL after `graceMs`) and removes the directory. Safe to call more than once. */
  close(graceMs = 0): Promise<void> {
    this.closing ??= this.end(graceMs);
    return this.closing;
  }

  private async end(graceMs: number): Promise<void> {
    const living = this.processes.filter((one) => one.running());
    if (graceMs > 0) {
      for (const one of living) one.signal("SIGTERM");
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.all(living.map((one) => one.exited)), patience]);
      clearTimeout(timer);
    }
    for (const one of living) one.signal("SIGKILL");
    await Promise.all(living.map((one) => one.exited));
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    this.reaper.stdin?.end();
  }

  private tellReaper(message: { group?: number | undefined; directory?: string; done?: boolean }): void {
    if (this.reaper.stdin?.writable) this.reaper.stdin.write(`${JSON.stringify(message)}\n`);
  }
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Finds a free TCP port on the loopback interface, or checks that the wanted one is free. */
export function freePort(wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", (error: NodeJS.ErrnoException) => {
      reject(
        error.code === "EADDRINUSE"
          ? new PortTakenError(wanted)
          : new Error(`cannot listen on 127.0.0.1:${wanted}: ${error.message}`, { cause: error }),
      );
    });
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : wanted;
      server.close(() => resolve(port));
    });
  });
}

/** A port that the user asked for belongs to another program. */
export class PortTakenError extends Error {
  readonly port: number;
  constructor(port: number) {
    super(`port ${port} is taken by another program`);
    this.name = "PortTakenError";
    this.port = port;
  }
}

/** The environment without what its owner has set for daemons of their own: the network's have their settings by flag. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const isOwners = (name: string) => name.startsWith("GPUCHAIN_") && !name.startsWith("GPUCHAIN_TEST_");
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOwners(name)));
}
