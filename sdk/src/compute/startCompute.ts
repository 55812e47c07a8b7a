import type { ChildProcess } from "node:child_process";
import { GpuchainError } from "../daemon/errors.ts";
import type { CallName, Calls, FromChild, ToChild, TrainArguments } from "./protocol.ts";
import { spawnChild } from "./spawnChild.ts";
import type { Compute, ComputeOptions, TrainingRun, TrainRequest } from "./types.ts";
import { watchMemory } from "./watchMemory.ts";

interface Waiting {
  readonly name: CallName;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
  readonly onSteps?: TrainRequest["onStep"];
  readonly onTrace?: TrainRequest["onTrace"];
  timer?: NodeJS.Timeout;
  begun?: boolean;
  paused?: boolean;
}

const START_TIMEOUT_MS = 30_000;
/** No device that is worth a lease needs longer for a step; a graph that does would hold its daemon up for ever. */
const STEP_TIMEOUT_MS = 300_000;
/** Last lines of the child's error output, kept to explain a death. */
const STDERR_TAIL = 2000;

/**
 * Starts the training program in a child process, so that whatever happens to it (out of memory, a crash of the runtime, a hang)
 * leaves the daemon alive, and a busy step never delays a beat or a vote.
 *
 * @throws GpuchainError `COMPUTE_DIED` when the child does not come up
 * @example
 * const compute = await startCompute({ runtime: "native", threads: 2 });
 * await compute.open({ specPath, trainPath });
 * const run = compute.train({ parentPath: "genesis", toStep: 50, traceInterval: 5, checkpointInterval: 50, outDir });
 * await run.done;
 * await compute.close();
 */
export async function startCompute(options: ComputeOptions): Promise<Compute> {
  const { signal, log } = options;
  signal?.throwIfAborted();
  const child = spawnChild({
    runtime: options.runtime,
    threads: options.threads,
    ...(options.memoryMb === undefined ? {} : { memoryMb: options.memoryMb }),
    ...(options.nice === undefined ? {} : { nice: options.nice }),
  });
  const host = createHost(child, options);
  const onAbort = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", onAbort, { once: true });
  void host.compute.exited.then(() => signal?.removeEventListener("abort", onAbort));
  await host.ready;
  log?.debug({ pid: child.pid, runtime: options.runtime, threads: options.threads }, "training process started");
  return host.compute;
}

function createHost(child: ChildProcess, options: ComputeOptions): { compute: Compute; ready: Promise<void> } {
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let stderr = "";
  let reason = "";
  let gone: GpuchainError | undefined;
  let becomeReady: () => void = () => undefined;
  let failToStart: (error: Error) => void = () => undefined;

  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => end("did not start in time"), START_TIMEOUT_MS);
    becomeReady = () => {
      clearTimeout(timer);
      resolve();
    };
    failToStart = (error) => {
      clearTimeout(timer);
      reject(error);
    };
  });
  const end = (why: string) => {
    reason ||= why;
    child.kill("SIGKILL");
  };
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-STDERR_TAIL);
  });

  const onExit = (how: string) => {
    if (gone !== undefined) return;
    stopWatching();
    gone = new GpuchainError("COMPUTE_DIED", `the training process ${reason || how}`, {
      hint: "it is started again for the next piece of work; if it keeps dying, give it more memory or fewer threads",
      retryable: true,
      ...(stderr === "" ? {} : { cause: new Error(stderr.trim()) }),
    });
    failToStart(gone);
    for (const call of waiting.values()) {
      clearTimeout(call.timer);
      call.reject(gone);
    }
    waiting.clear();
  };
  const stopWatching =
    options.memoryMb === undefined || options.memoryMb === 0
      ? () => undefined
      : watchMemory(child.pid, options.memoryMb, (used) =>
          end(`used ${Math.round(used)} MiB of the ${options.memoryMb} MiB it may`),
        );
  const exited = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      onExit(`could not be started: ${error.message}`);
      resolve();
    });
    // "close", not "exit": by then its error output has been read, which says why it died.
    child.once("close", (code, killedBy) => {
      onExit(killedBy === null ? `ended with code ${code}` : `was ended by ${killedBy}`);
      resolve();
    });
  });

  child.on("message", (message: FromChild) => {
    if (message.type === "ready") return becomeReady();
    if (message.type === "dying") {
      reason = message.reason;
      return;
    }
    const call = waiting.get(message.id);
    if (call === undefined) return;
    limit(call, message.type === "started");
    if (message.type === "started") return;
    if (message.type === "steps" || message.type === "trace") {
      try {
        if (message.type === "trace") call.onTrace?.(message.point);
        else for (const step of message.steps) call.onSteps?.(step);
      } catch (error) {
        // Whoever listens could not take it: the call fails, this process goes on.
        waiting.delete(message.id);
        clearTimeout(call.timer);
        post({ type: "stop", id: message.id, trace: false });
        call.reject(error as Error);
      }
    } else {
      waiting.delete(message.id);
      clearTimeout(call.timer);
      if (message.type === "result") call.resolve(message.result as never);
      else call.reject(fromWire(message.error));
    }
  });

  /** Calls are limited as a whole; training from one sign of life to the next, except while it is paused. */
  const limit = (call: Waiting, starts: boolean) => {
    const perStep = call.name === "train";
    if (!perStep && !starts) return;
    call.begun = true;
    clearTimeout(call.timer);
    const limitMs = perStep ? (options.stepTimeoutMs ?? STEP_TIMEOUT_MS) : options.timeoutMs;
    if (limitMs === undefined || call.paused) return;
    const what = perStep ? "a step" : `"${call.name}"`;
    call.timer = setTimeout(() => end(`took longer than ${limitMs} ms for ${what}`), limitMs);
  };
  const post = (message: ToChild) => {
    // A channel that closed is reported by the exit that follows.
    if (child.connected) child.send(message, () => undefined);
  };
  const call = <Name extends CallName>(
    name: Name,
    request: Calls[Name]["request"],
    id = nextId++,
    hooks: Partial<Waiting> = {},
  ) =>
    new Promise<Calls[Name]["result"]>((resolve, reject) => {
      if (gone !== undefined) return reject(gone);
      waiting.set(id, { ...hooks, name, resolve, reject });
      post({ type: "call", id, call: name, request } as ToChild);
    });

  const train = (request: TrainRequest): TrainingRun => {
    const { onStep, onTrace, signal, ...rest } = request;
    const id = nextId++;
    const done = call("train", rest satisfies TrainArguments, id, {
      ...(onStep === undefined ? {} : { onSteps: onStep }),
      ...(onTrace === undefined ? {} : { onTrace }),
    });
    const stop: TrainingRun["stop"] = (how = {}) => {
      post({ type: "stop", id, trace: how.trace ?? false });
      return done;
    };
    const onAbort = () => post({ type: "stop", id, trace: false });
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    const forget = () => signal?.removeEventListener("abort", onAbort);
    done.then(forget, forget);
    const setPaused = (paused: boolean) => {
      post({ type: paused ? "pause" : "resume", id });
      const run = waiting.get(id);
      if (run === undefined) return;
      run.paused = paused;
      // One that still waits for its turn is timed from there on.
      if (run.begun) limit(run, true);
    };
    return { done, stop, pause: () => setPaused(true), resume: () => setPaused(false) };
  };

  const compute: Compute = {
    pid: child.pid,
    exited,
    get alive() {
      return gone === undefined;
    },
    open: (request) => call("open", request),
    train,
    inspect: (request) => call("inspect", request),
    replay: (request) => call("replay", request),
    evaluate: (request) => call("evaluate", request),
    usage: () => call("usage", null),
    close: async () => {
      reason ||= "was closed";
      // The child ends by itself when the channel closes; a step in progress is not waited for.
      child.kill("SIGKILL");
      await exited;
    },
  };
  return { compute, ready };
}

function fromWire({
  code,
  message,
  hint,
  stack,
}: {
  code: string;
  message: string;
  hint?: string;
  stack?: string;
}): GpuchainError {
  const cause = stack === undefined ? undefined : Object.assign(new Error(message), { stack });
  return new GpuchainError(code, message, { ...(hint === undefined ? {} : { hint }), cause });
}
