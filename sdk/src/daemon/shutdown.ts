import { GpuchainError } from "./errors.ts";

export interface Shutdown {
  /** Aborts on the first SIGINT, SIGTERM or SIGHUP, or on `begin()`. */
  readonly signal: AbortSignal;
  /** Registers work to do after the signal aborted; run in reverse order of registration, each awaited. */
  onClose(name: string, close: () => void | Promise<void>): void;
  /** Starts the shutdown from inside the program. */
  begin(reason: string): void;
  /** Runs everything registered and removes the signal handlers; call it last in `main`. Safe to call twice. */
  close(): Promise<void>;
}

export interface ShutdownOptions {
  /** Told about the first signal and about each `onClose` that failed. */
  log?: { info(message: string): void; error(fields: object, message: string): void };
  process?: Pick<NodeJS.Process, "on" | "off" | "exit">;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Turns process signals into one AbortSignal; a second signal exits hard with 130, whatever is still running. */
export function createShutdown(options: ShutdownOptions = {}): Shutdown {
  const target = options.process ?? process;
  const controller = new AbortController();
  const closers: { name: string; close: () => void | Promise<void> }[] = [];
  let closing: Promise<void> | undefined;

  const begin = (reason: string) => {
    if (controller.signal.aborted) return;
    options.log?.info(`stopping: ${reason}`);
    controller.abort(new GpuchainError("INTERRUPTED", `stopped by ${reason}`));
  };
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) target.exit(130);
    begin(name);
  };
  for (const name of signals) target.on(name, onSignal);

  const close = async () => {
    begin("end of program");
    for (const closer of closers.reverse()) {
      try {
        await closer.close();
      } catch (error) {
        options.log?.error({ err: error }, `could not close ${closer.name}`);
      }
    }
    for (const name of signals) target.off(name, onSignal);
  };

  return {
    signal: controller.signal,
    onClose: (name, closer) => void closers.push({ name, close: closer }),
    begin,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
