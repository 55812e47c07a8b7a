import { RecordError } from "../../records/index.ts";
import { TrainingError } from "../../training/index.ts";
import type { CallName, Calls, ChildSettings, FromChild, ToChild } from "../protocol.ts";
import { evaluate, inspect, replay } from "./judge.ts";
import { applyLimits } from "./limits.ts";
import { type OpenedProgram, openProgram } from "./openedProgram.ts";
import { type TrainControl, train } from "./train.ts";

const settings = JSON.parse(process.argv[2] ?? "{}") as ChildSettings;
const post = (message: FromChild) => {
  if (process.connected) process.send?.(message);
};

/** Without a host there is nobody to work for: a killed daemon leaves no training process behind. */
process.on("disconnect", () => process.exit(0));
// Ctrl-C reaches the whole process group; the daemon decides when its child ends.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

applyLimits(settings, (reason) => {
  process.send?.({ type: "dying", reason } satisfies FromChild, () => process.exit(137));
});

let opened: OpenedProgram | undefined;
const controls = new Map<number, TrainControl>();
let tail: Promise<void> = Promise.resolve();

const needOpened = (): OpenedProgram => {
  if (opened === undefined) throw new TrainingError("BAD_INPUT", "No job is open: call open first.");
  return opened;
};

const handlers: {
  [Name in CallName]: (request: Calls[Name]["request"], id: number) => Promise<Calls[Name]["result"]>;
} = {
  open: async (request) => {
    await opened?.close();
    opened = undefined;
    opened = await openProgram(request, settings);
    return opened.opened;
  },
  train: (request, id) =>
    train(needOpened(), request, controlOf(id), {
      steps: (steps) => post({ type: "steps", id, steps }),
      trace: (point) => post({ type: "trace", id, point }),
    }),
  inspect: (request) => inspect(needOpened(), request),
  replay: (request) => replay(needOpened(), request),
  evaluate: (request) => evaluate(needOpened(), request),
  usage: async () => {
    const { user, system } = process.cpuUsage();
    return { cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss() };
  },
};

function controlOf(id: number): TrainControl {
  const known = controls.get(id);
  if (known !== undefined) return known;
  const control: TrainControl = { paused: false, stopped: false, traceAtStop: false, wake: () => undefined };
  controls.set(id, control);
  return control;
}

async function answer<Name extends CallName>(id: number, name: Name, request: Calls[Name]["request"]): Promise<void> {
  try {
    post({ type: "started", id });
    post({ type: "result", id, result: await handlers[name](request, id) });
  } catch (error) {
    post({ type: "failed", id, error: toWire(error) });
  } finally {
    controls.delete(id);
  }
}

function toWire(error: unknown): { code: string; message: string; hint?: string; stack?: string } {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error && error.stack !== undefined ? { stack: error.stack } : {};
  if (error instanceof TrainingError || error instanceof RecordError) return { code: error.code, message, ...stack };
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT")
    return { code: "DISK_FULL", message: "no room left to write a training state", hint: "free disk space", ...stack };
  // What V8 says when it has no room for an array, or none of that length can be.
  if (error instanceof RangeError && /array (?:buffer )?(?:length|allocation)/i.test(message))
    return { code: "OUT_OF_MEMORY", message: `no memory for an array: ${message}`, ...stack };
  return { code: "COMPUTE_FAILED", message, ...stack };
}

process.on("message", (message: ToChild) => {
  if (message.type === "call") {
    if (message.call === "train") controlOf(message.id);
    if (message.call === "usage") void answer(message.id, "usage", null);
    else tail = tail.then(() => answer(message.id, message.call, message.request));
    return;
  }
  // A run that has ended takes no more orders.
  const control = controls.get(message.id);
  if (control === undefined) return;
  if (message.type === "stop") {
    control.stopped = true;
    control.traceAtStop = message.trace;
  } else control.paused = message.type === "pause";
  control.wake();
});

post({ type: "ready" });
