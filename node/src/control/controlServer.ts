import { chmodSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { toGpuchainError } from "@gpuchain/sdk/daemon";
import { socketPath } from "./socketPath.ts";

export const COMMANDS = ["status", "pause", "resume", "withdraw", "exit"] as const;
export type CommandName = (typeof COMMANDS)[number];

export interface ControlRequest {
  readonly command: CommandName;
  /** `withdraw`: the wallet that receives the money */
  readonly to?: string;
}
export type ControlAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly hint?: string };

export type ControlHandlers = Readonly<Record<CommandName, (request: ControlRequest) => Promise<unknown>>>;

/**
 * Listens for the owner's commands on a socket that only the same user can open: one JSON line in, one out. The journal's lock makes
 * sure that no other daemon lives in this data folder, so a socket file that lies there is a dead one's.
 */
export async function serveControl(data: string, handlers: ControlHandlers): Promise<{ close(): Promise<void> }> {
  const path = socketPath(data);
  if (process.platform !== "win32") rmSync(path, { force: true });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
    createInterface({ input: socket }).on("line", (line) => {
      void answer(line, handlers).then((reply) => socket.end(`${encode(reply)}\n`));
    });
  });
  const mask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
  } finally {
    process.umask(mask);
  }
  if (process.platform !== "win32") chmodSync(path, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroySoon();
      }),
  };
}

async function answer(line: string, handlers: ControlHandlers): Promise<ControlAnswer> {
  try {
    const request = JSON.parse(line) as Partial<ControlRequest>;
    const command = COMMANDS.find((name) => name === request.command);
    if (command === undefined) return { ok: false, code: "USAGE", message: `unknown command "${request.command}"` };
    const to = typeof request.to === "string" ? { to: request.to } : {};
    return { ok: true, result: await handlers[command]({ command, ...to }) };
  } catch (error) {
    const { code, message, hint } = toGpuchainError(error);
    return { ok: false, code, message, ...(hint === undefined ? {} : { hint }) };
  }
}

/** Amounts travel as decimal strings. */
const encode = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item));
