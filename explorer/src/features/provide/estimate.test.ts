import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeRecording } from "../../testing/makeRecording.ts";
import { demandAt } from "./estimate.ts";
import { nodeCommand } from "./nodeCommand.ts";

const events = makeRecording()
  .timeline.filter((e) => e.kind === "event")
  .map((e) => ({ ...e, timestamp: e.timestamp }));

test("demand is what open jobs still need at a price; a finished job needs nothing", () => {
  const firstAccepted = events.findIndex((e) => e.name === "CheckpointAccepted");
  expect(demandAt(events.slice(0, firstAccepted + 1), 3_000n)).toMatchObject({
    openJobs: 1,
    stepsLeft: 350,
    stepsAtPrice: 350,
  });
  expect(demandAt(events.slice(0, firstAccepted + 1), 3_001n)).toMatchObject({ stepsAtPrice: 0 });
  expect(demandAt(events, 1n).openJobs).toBe(0);
});

test("what a person types into a name stays one argument of the command", () => {
  const command = nodeCommand({ name: `it's "mine"; rm -rf ~`, price: "0.002", rpc: "http://127.0.0.1:8545" });
  expect(command).toContain(`--name 'it'\\''s "mine"; rm -rf ~'`);
});

test("the command names a file of this repository, and options that it has", () => {
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  const [node, file, start, ...rest] = nodeCommand({ name: "x", price: "1", rpc: "http://127.0.0.1:8545" }).split(" ");
  expect([node, file, start]).toEqual(["node", "node/dist/main.js", "start"]);
  const source = path.join(root, "node/src", path.basename(file ?? "", ".js"));
  expect(existsSync(`${source}.ts`)).toBe(true);
  if (!existsSync(path.join(root, file ?? ""))) throw new Error("the node is not built: run npm run build");
  const help = execFileSync(process.execPath, [file ?? "", "start", "--help"], { cwd: root, encoding: "utf8" });
  for (const option of rest.filter((word) => word.startsWith("--"))) expect(help).toContain(option);
});
