import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { sha256Hex } from "../records/index.ts";
import { createProgram, decodeCheckpoint, encodeCheckpoint, initialState, intervalDigest } from "../training/index.ts";
import { SPARE_FOLDER } from "./spareFiles.ts";
import { machineEnv } from "./spawnChild.ts";
import { startCompute } from "./startCompute.ts";
import { tinyJob, writeJob } from "./testing/tinyJob.ts";
import { traceSteps } from "./tracePoints.ts";
import type { Compute, ComputeOptions, StepReport, TracePoint } from "./types.ts";

/** Debian's chromium-common brings a Vulkan driver in software, and a loader. */
const CHROMIUM = "/usr/lib/chromium";
const DRIVER = `${CHROMIUM}/vk_swiftshader_icd.json`;
if (!existsSync(DRIVER)) console.warn(`SKIPPED: no training child on WebGPU: there is no SwiftShader (${DRIVER}).`);

const job = tinyJob();
const program = createProgram(job.spec);
let folder: string;
let files: ReturnType<typeof writeJob>;
const started: Compute[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gpuchain-compute-"));
  files = writeJob(job, folder);
});
afterEach(async () => {
  for (const compute of started.splice(0)) await compute.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(options: Partial<ComputeOptions> = {}): Promise<Compute> {
  const compute = await startCompute({ runtime: "native", threads: 1, ...options });
  started.push(compute);
  return compute;
}

async function openTiny(options: Partial<ComputeOptions> = {}): Promise<Compute> {
  const compute = await start(options);
  await compute.open(files);
  return compute;
}

/** Small weights, large activations. */
const HUNGRY = { hidden: 65_536, batch: 128 };
const newFolder = () => mkdtempSync(join(folder, "job-"));

let runs = 0;
/** Trains and collects what the child reports. */
function trainTiny(
  compute: Compute,
  parentPath: string,
  onTrace?: (point: TracePoint) => void,
  prepare?: (outDir: string) => void,
) {
  const outDir = join(folder, `states-${++runs}`);
  mkdirSync(outDir);
  prepare?.(outDir);
  const steps: StepReport[] = [];
  const points: TracePoint[] = [];
  const run = compute.train({
    parentPath,
    toStep: 40,
    traceInterval: 5,
    checkpointInterval: 10,
    outDir,
    onStep: (step) => steps.push(step),
    onTrace: (point) => {
      points.push(point);
      onTrace?.(point);
    },
  });
  return { run, steps, points, outDir };
}

describe("training in a child process", () => {
  it("writes over files that were put aside, longer and shorter ones, and leaves the same bytes", async () => {
    const compute = await openTiny();
    const plain = trainTiny(compute, "genesis");
    await plain.run.done;
    const { outDir, run, points } = trainTiny(compute, "genesis", undefined, (folder) => {
      mkdirSync(join(folder, SPARE_FOLDER));
      writeFileSync(join(folder, SPARE_FOLDER, "longer"), new Uint8Array(1_000_000).fill(7));
      writeFileSync(join(folder, SPARE_FOLDER, "shorter"), "x");
    });
    await run.done;
    expect(points.map(({ leaf }) => leaf)).toEqual(plain.points.map(({ leaf }) => leaf));
    for (const { leaf, statePath } of points) expect(sha256Hex(readFileSync(statePath))).toBe(leaf.stateHash);
    expect(readdirSync(join(outDir, SPARE_FOLDER))).toEqual([]);
  });

  it("trains to the last step and leaves each trace point's state under its hash", async () => {
    const compute = await openTiny();
    const { run, steps, points } = trainTiny(compute, "genesis");
    expect(await run.done).toEqual({ step: 40, stopped: false });
    expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    expect(points.map(({ leaf }) => leaf.step)).toEqual(
      traceSteps({ traceInterval: 5, checkpointInterval: 10, totalSteps: 40 }, 0, 40),
    );
    for (const { leaf, statePath, bytes } of points) {
      const file = readFileSync(statePath);
      expect(file.length).toBe(bytes);
      expect(sha256Hex(file)).toBe(leaf.stateHash);
      expect(decodeCheckpoint(program, file).step).toBe(leaf.step);
      expect(leaf.batchDigest).toBe(intervalDigest(program, leaf.step - 5, leaf.step, 256));
    }
    const losses = steps.map(({ loss }) => loss);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(losses.slice(-5))).toBeLessThan(mean(losses.slice(0, 5)));
    expect(points[0]?.leaf.meanLoss).toBeCloseTo(mean(losses.slice(0, 5)), 12);
  });

  it("ends in the same bits whether it is left alone, paused, stopped and resumed, or killed and resumed elsewhere", async () => {
    const whole = trainTiny(await openTiny(), "genesis");
    await whole.run.done;
    const final = whole.points.at(-1)?.leaf.stateHash;

    const compute = await openTiny({ threads: 2 });
    const first = trainTiny(compute, "genesis", ({ leaf }) => {
      if (leaf.step === 15) {
        first.run.pause();
        setImmediate(() => first.run.resume());
      }
      if (leaf.step === 25) void first.run.stop();
    });
    const { stopped, step } = await first.run.done;
    expect(stopped).toBe(true);
    expect(step).toBeLessThan(40);
    const second = trainTiny(compute, first.points.at(-1)?.statePath ?? "");
    await second.run.done;
    expect(second.points.at(-1)?.leaf.stateHash).toBe(final);

    const doomed = await openTiny();
    const third = trainTiny(doomed, "genesis", ({ leaf }) => {
      if (leaf.step === 20) process.kill(doomed.pid ?? 0, "SIGKILL");
    });
    await expect(third.run.done).rejects.toMatchObject({ code: "COMPUTE_DIED", retryable: true });
    const fourth = trainTiny(await openTiny(), third.points.at(-1)?.statePath ?? "");
    await fourth.run.done;
    expect(fourth.points.at(-1)?.leaf.stateHash).toBe(final);
  });

  it("makes the state at which it stops a trace point when asked to", async () => {
    const compute = await openTiny();
    const run = trainTiny(compute, "genesis");
    run.run.pause();
    run.run.resume();
    const { step } = await run.run.stop({ trace: true });
    const last = run.points.at(-1);
    if (step === 0) expect(last).toBeUndefined();
    else expect(decodeCheckpoint(program, readFileSync(last?.statePath ?? "")).step).toBe(step);
  });

  it("runs as many examples at once as its memory limit allows", { timeout: 120_000 }, async () => {
    const compute = await start({ memoryMb: 500 });
    const { microBatch } = await compute.open(writeJob(tinyJob(HUNGRY), newFolder()));
    expect(128 % microBatch).toBe(0);
    expect(microBatch).toBeLessThan(128);
    const outDir = newFolder();
    const request = { parentPath: "genesis", toStep: 2, traceInterval: 5, checkpointInterval: 10, outDir } as const;
    expect(await compute.train(request).done).toEqual({ step: 2, stopped: false });
    expect((await (await openTiny({ memoryMb: 500 })).open(files)).microBatch).toBe(32);
  });

  it("calls whatever comes while another runs in order", async () => {
    const compute = await openTiny();
    const { run, points } = trainTiny(compute, "genesis");
    const scored = compute.evaluate({ statePath: "genesis" });
    await Promise.all([run.done, scored]);
    expect(points).toHaveLength(8);
    expect((await scored).examples).toBe(64);
    expect((await compute.usage()).cpuMs).toBeGreaterThan(0);
  });
});

describe("judging in a child process", () => {
  let states: TracePoint[];
  let compute: Compute;
  const at = (step: number) => states.find(({ leaf }) => leaf.step === step) as TracePoint;

  beforeAll(async () => {
    compute = await startCompute({ runtime: "native", threads: 1 });
    await compute.open(files);
    const { run, points } = trainTiny(compute, "genesis");
    await run.done;
    states = points;
  });
  afterAll(() => compute.close());

  it("replays an interval to the same bits and tells other work from it", async () => {
    const honest = await compute.replay({ fromPath: at(10).statePath, toStep: 15, claimedPath: at(15).statePath });
    expect(honest).toMatchObject({
      stateHash: at(15).leaf.stateHash,
      claimedHash: at(15).leaf.stateHash,
      batchDigest: at(15).leaf.batchDigest,
      meanLoss: at(15).leaf.meanLoss,
      distance: { params: 0, moment: 0 },
    });
    const skipped = await compute.replay({ fromPath: at(10).statePath, toStep: 20, claimedPath: at(15).statePath });
    expect(skipped.distance).toBeUndefined();
    expect(skipped.reason).toMatch(/step 15, not 20/);

    const state = decodeCheckpoint(program, readFileSync(at(15).statePath));
    const junk = encodeCheckpoint(program, { ...state, params: state.params.map((weight) => weight * 1.01) });
    writeFileSync(join(folder, "junk"), junk);
    const { distance } = await compute.replay({ fromPath: "genesis", toStep: 15, claimedPath: join(folder, "junk") });
    expect(distance?.params).toBeGreaterThan(1e-3);
  });

  it("scores a trained state above the initial one, on the examples asked for", async () => {
    const indices = [3, 1, 60];
    const few = await compute.evaluate({ statePath: at(40).statePath, indices });
    expect(few.predictions.map(({ index }) => index)).toEqual(indices);
    const before = await compute.evaluate({ statePath: "genesis" });
    const after = await compute.evaluate({ statePath: at(40).statePath });
    expect(after.nll).toBeLessThan(before.nll);
    expect(after.balancedAccuracy).toBeGreaterThan(0.6);
  });

  it("says in words what is wrong with bytes that are no good checkpoint", async () => {
    const file = readFileSync(at(20).statePath);
    const state = decodeCheckpoint(program, new Uint8Array(file));
    const write = (name: string, bytes: Uint8Array) => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    };
    const inspect = (statePath: string, step = 20) => compute.inspect({ statePath, expect: { step } });
    expect(await inspect(at(20).statePath)).toEqual({ ok: true, stateHash: at(20).leaf.stateHash });
    expect(await inspect(at(20).statePath, 25)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/step 20, not 25/),
    });
    expect(await inspect(write("cut", file.subarray(0, -4)))).toMatchObject({ ok: false });
    expect(await inspect(write("noise", new TextEncoder().encode("not a checkpoint")))).toMatchObject({ ok: false });
    const infinite = encodeCheckpoint(program, {
      ...state,
      m: state.m.map((value, i) => (i === 3 ? Number.NaN : value)),
    });
    expect(await inspect(write("infinite", infinite))).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/NaN/),
    });
  });
});

describe("a child that cannot go on", () => {
  it("rejects what was waiting and leaves its host alive", async () => {
    const compute = await openTiny();
    const calls = [
      compute.usage(),
      compute.evaluate({ statePath: "genesis" }),
      compute.inspect({ statePath: "x", expect: { step: 1 } }),
    ];
    process.kill(compute.pid ?? 0, "SIGKILL");
    for (const call of calls)
      await call.catch((error: unknown) => expect(error).toMatchObject({ code: "COMPUTE_DIED" }));
    await compute.exited;
    expect(compute.alive).toBe(false);
    await expect(compute.usage()).rejects.toMatchObject({ code: "COMPUTE_DIED" });
  });

  it("is ended over its memory limit, in the middle of a graph's run too", { timeout: 120_000 }, async () => {
    await expect(start({ memoryMb: 20 })).rejects.toMatchObject({
      code: "COMPUTE_DIED",
      message: expect.stringMatching(/of the 20 MiB it may/),
    });
    // Some 67 MB for each activation of a grain, which a canonical job must not split.
    const compute = await start({ memoryMb: 400 });
    const hungry = writeJob(tinyJob({ ...HUNGRY, batch: 256, class: "canonical", grain: 256 }), newFolder());
    await expect(compute.open(hungry)).rejects.toMatchObject({
      code: "COMPUTE_DIED",
      message: expect.stringMatching(/of the 400 MiB it may/),
    });
    await compute.exited;
    expect((await (await start()).open(files)).trainExamples).toBe(256);
  });

  it("is ended when a step takes longer than it may, and not for a pause", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const compute = await openTiny({ stepTimeoutMs: 1000 });
      const pausing = trainTiny(compute, "genesis", ({ leaf }) => {
        if (leaf.step !== 20) return;
        pausing.run.pause();
        vi.advanceTimersByTime(3_600_000);
        pausing.run.resume();
      });
      expect(await pausing.run.done).toEqual({ step: 40, stopped: false });
      const hanging = trainTiny(compute, "genesis", ({ leaf }) => {
        if (leaf.step !== 20) return;
        process.kill(compute.pid ?? 0, "SIGSTOP");
        vi.advanceTimersByTime(1001);
      });
      await expect(hanging.run.done).rejects.toMatchObject({
        code: "COMPUTE_DIED",
        message: expect.stringMatching(/1000 ms for a step/),
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it("is ended when a call takes longer than it may", async () => {
    const compute = await start({ timeoutMs: 1 });
    await expect(compute.open(files)).rejects.toMatchObject({
      code: "COMPUTE_DIED",
      message: expect.stringMatching(/1 ms/),
    });
  });

  it("is ended by its host's signal", async () => {
    const abort = new AbortController();
    const compute = await start({ signal: abort.signal });
    abort.abort();
    await compute.exited;
    expect(compute.alive).toBe(false);
  });

  it("reports a bad request by name and goes on", async () => {
    const compute = await start();
    await expect(compute.evaluate({ statePath: "genesis" })).rejects.toMatchObject({ code: "BAD_INPUT" });
    await expect(compute.open({ specPath: join(folder, "nowhere") })).rejects.toMatchObject({ code: "COMPUTE_FAILED" });
    await expect(compute.open({ specPath: files.trainPath })).rejects.toMatchObject({ code: "BAD_JOB_SPEC" });
    expect((await compute.open(files)).trainExamples).toBe(256);
  });

  it("does not outlive a killed host", async () => {
    const { fork } = await import("node:child_process");
    const host = fork(join(import.meta.dirname, "testing", "host.ts"), {
      execArgv: ["--import", "tsx"],
      stdio: "ignore",
    });
    const [childPid] = (await once(host, "message")) as [number];
    host.kill("SIGKILL");
    await once(host, "exit");
    const isAlive = () => {
      try {
        process.kill(childPid, 0);
        return true;
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
        throw error;
      }
    };
    await expect.poll(isAlive, { timeout: 20_000 }).toBe(false);
  });

  it("knows the drivers that its parent knows, and none of its parent's secrets", () => {
    const machine = {
      ...{ PATH: "/bin", HOME: "/root", TMPDIR: "/t", LD_LIBRARY_PATH: "/opt/cudnn", CUDA_VISIBLE_DEVICES: "1" },
      ...{ NVIDIA_VISIBLE_DEVICES: "all", VK_ICD_FILENAMES: "x.json", XDG_RUNTIME_DIR: "/run/user/1" },
    };
    const secret = {
      ...{ GPUCHAIN_PRIVATE_KEY: "0x1", GPUCHAIN_NODE_PASSWORD: "p", DATABASE_URL: "d", AWS_SECRET_ACCESS_KEY: "s" },
      ...{ NODE_OPTIONS: "--require=x", LD_PRELOAD: "x.so", VK: "1", MY_CUDA_TOKEN: "t" },
    };
    expect(machineEnv({ ...machine, ...secret })).toEqual(machine);
  });

  it.skipIf(!existsSync(DRIVER))("trains on WebGPU where this process can", { timeout: 120_000 }, async () => {
    vi.stubEnv("VK_ICD_FILENAMES", DRIVER);
    vi.stubEnv("LD_LIBRARY_PATH", CHROMIUM);
    try {
      const compute = await openTiny({ runtime: "webgpu" });
      const outDir = newFolder();
      const request = { parentPath: "genesis", toStep: 5, traceInterval: 5, checkpointInterval: 10, outDir };
      expect(await compute.train(request).done).toMatchObject({ step: 5 });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("says that there is no memory for a model that no machine could hold, and does not call it a failure of its own", async () => {
    const compute = await start();
    const opening = compute.open(writeJob(tinyJob({ hidden: [65_536, 65_536, 65_536] }), newFolder()));
    await expect(opening).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
  });

  it("stops where a job's loss is no number: what follows would be refused", async () => {
    const fresh = initialState(program);
    const state = { ...fresh, params: fresh.params.map((x) => x * 1e37) };
    const folder = newFolder();
    const compute = await openTiny();
    const parentPath = join(folder, "parent");
    writeFileSync(parentPath, encodeCheckpoint(program, state));
    const request = { parentPath, toStep: 40, traceInterval: 5, checkpointInterval: 10, outDir: newFolder() };
    await expect(compute.train(request).done).rejects.toMatchObject({ code: "NOT_FINITE" });
  });
});
