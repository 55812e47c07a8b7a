import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GpuchainError } from "@gpuchain/sdk/daemon";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callDaemon } from "./callDaemon.ts";
import { type ControlHandlers, serveControl } from "./controlServer.ts";
import { socketPath } from "./socketPath.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpuchain-control-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const handlers: ControlHandlers = {
  status: async () => ({ state: "idle", earned: 1_500_000n }),
  pause: async () => ({}),
  resume: async () => {
    throw new GpuchainError("RPC_UNREACHABLE", "no answer", { hint: "wait" });
  },
  withdraw: async ({ to }) => ({ to }),
  exit: async () => ({}),
};

describe("control socket", () => {
  it("answers its owner, and nobody else may open it", async () => {
    // What a daemon killed before left behind must not be in the way.
    writeFileSync(socketPath(folder), "");
    const server = await serveControl(folder, handlers);
    expect(await callDaemon(folder, { command: "status" })).toEqual({ state: "idle", earned: "1500000" });
    expect(await callDaemon(folder, { command: "withdraw", to: "0xabc" })).toEqual({ to: "0xabc" });
    expect(statSync(socketPath(folder)).mode & 0o077).toBe(0);
    await server.close();
  });

  it("passes errors on with their code and hint", async () => {
    const server = await serveControl(folder, handlers);
    await expect(callDaemon(folder, { command: "resume" })).rejects.toMatchObject({
      code: "RPC_UNREACHABLE",
      hint: "wait",
    });
    await server.close();
  });

  it("says so when no daemon runs", async () => {
    await expect(callDaemon(folder, { command: "status" })).rejects.toMatchObject({ code: "NOT_RUNNING" });
  });

  it("stays within what systems allow for a socket's path", () => {
    const deep = join(folder, "x".repeat(200));
    expect(socketPath(deep).length).toBeLessThan(104);
    expect(socketPath(deep)).toBe(socketPath(deep));
    expect(socketPath(deep)).not.toBe(socketPath(`${deep}y`));
  });
});
