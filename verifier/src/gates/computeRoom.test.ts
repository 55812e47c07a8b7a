import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCompute } from "@gpuchain/sdk/compute";
import { createLogger } from "@gpuchain/sdk/daemon";
import { afterAll, expect, it } from "vitest";
import { tinyJob, writeJob } from "../testing/tinyJob.ts";
import { createComputeRoom } from "./computeRoom.ts";

const folder = mkdtempSync(join(tmpdir(), "gpuchain-room-"));
const stop = new AbortController();
const log = createLogger({ name: "test", level: "silent" as never, json: true });

afterAll(() => {
  stop.abort();
  rmSync(folder, { recursive: true, force: true });
});

it("a job whose work never comes back costs its own judgement and no other's", async () => {
  const room = createComputeRoom({
    ...{ startCompute, runtime: "native", threads: 1, timeoutMs: 3_000 },
    ...{ signal: stop.signal, log },
  });
  const inputs = (name: string, steps: number) => {
    const job = tinyJob({ steps });
    return { spec: job.spec, open: writeJob(job, join(folder, name)) };
  };
  const children = new Set<number>();
  // A quarter of an hour of steps.
  const endless = room.use(1n, inputs("endless", 1_000_000), (child) => {
    children.add(child.pid ?? 0);
    return child.replay({ fromPath: "genesis", toStep: 1_000_000 });
  });
  const waiting = room.use(2n, inputs("short", 40), (child) => child.evaluate({ statePath: "genesis" }));
  await expect(endless).rejects.toMatchObject({
    code: "COMPUTE_DIED",
    message: expect.stringMatching(/3000 ms for "replay"/),
  });
  expect(children.size).toBe(2);
  expect((await waiting).examples).toBe(64);
  expect(room.load).toBe(0);
  await room.close();
});
