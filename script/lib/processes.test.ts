import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import { freePort, PortTakenError, ProcessGroup } from "./processes.ts";
import { root } from "./root.ts";

const groups: ProcessGroup[] = [];
const newGroup = () => {
  const group = new ProcessGroup("gpuchain-test-");
  groups.push(group);
  return group;
};

afterEach(async () => {
  await Promise.all(groups.splice(0).map((group) => group.close()));
});

/** A process that starts another one and says both ids. */
const parentOfOne = `
  const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"]);
  console.log(JSON.stringify({ own: process.pid, child: child.pid }));
  setInterval(() => {}, 1e6);`;

const alive = (pid: number) => existsSync(`/proc/${pid}`) && !/State:\s+Z/.test(readStatus(pid));

function readStatus(pid: number): string {
  try {
    return process.getBuiltinModule("node:fs").readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "State: Z"; // Gone between the two looks.
  }
}

async function gone(pid: number): Promise<void> {
  while (alive(pid)) await new Promise((resolve) => setImmediate(resolve));
}

describe("ProcessGroup", () => {
  test("close ends a process, what it started, and the directory", async () => {
    const group = newGroup();
    const { directory } = group;
    const one = group.start({ name: "parent", file: process.execPath, args: ["-e", parentOfOne] });
    const pids = await new Promise<{ own: number; child: number }>((resolve) =>
      one.onLine((line) => resolve(JSON.parse(line))),
    );
    expect(alive(pids.child)).toBe(true);
    await group.close();
    await gone(pids.child);
    expect(alive(pids.own)).toBe(false);
    expect(existsSync(directory)).toBe(false);
  });

  test("a process that cannot start is told as ended, with the reason", async () => {
    const one = newGroup().start({ name: "nothing", file: "/nonexistent/program", args: [] });
    expect((await one.exited).code).toBe(127);
    expect(one.tail()).toContain("ENOENT");
  });

  // The launcher dies without a chance to clean up: the reaper does it.
  test("a launcher killed with SIGKILL leaves no process and no directory", async () => {
    const build = path.join(root, "script/dist/lib/processes.js");
    const launcher = spawn(process.execPath, [
      "--input-type=module",
      "-e",
      `import { ProcessGroup } from ${JSON.stringify(build)};
       const group = new ProcessGroup("gpuchain-test-");
       const one = group.start({ name: "parent", file: process.execPath, args: ["-e", ${JSON.stringify(parentOfOne)}] });
       one.onLine((line) => console.log(JSON.stringify({ ...JSON.parse(line), directory: group.directory })));`,
    ]);
    const lines = createInterface({ input: launcher.stdout });
    const said = await new Promise<{ own: number; child: number; directory: string }>((resolve) =>
      lines.on("line", (line) => resolve(JSON.parse(line))),
    );
    launcher.kill("SIGKILL");
    await gone(said.own);
    await gone(said.child);
    while (existsSync(said.directory)) await new Promise((resolve) => setImmediate(resolve));
    expect(alive(said.own)).toBe(false);
  });
});

describe("freePort", () => {
  test("names a taken port", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    await expect(freePort(port)).rejects.toThrow(PortTakenError);
    await expect(freePort(port)).rejects.toThrow(`port ${port} is taken`);
    server.close();
  });
});
