import { beforeAll, describe, expect, it } from "vitest";
import { encodeJobSpec, sha256Hex } from "../../records/index.ts";
import { encodeDataset } from "../data/dataset.ts";
import { createNativeRuntime } from "../runtimes/native.ts";
import { createWasmRuntime } from "../runtimes/wasm.ts";
import { encodeCheckpoint } from "../state/checkpoint.ts";
import { initialState } from "../state/initialState.ts";
import { type TinyJob, tinyJob } from "../testing/tinyJob.ts";
import { createTrainer } from "../trainer/createTrainer.ts";
import { auditInterval, type IntervalFiles } from "./auditInterval.ts";

const native = createNativeRuntime({ threads: 2 });
const wasm = createWasmRuntime({ threads: 1 });

async function commit(job: TinyJob, runtime: typeof native): Promise<IntervalFiles> {
  const { program, train, spec } = job;
  const trainer = await createTrainer({ program, runtime, data: train, state: initialState(program) });
  for (let i = 0; i < 5; i++) await trainer.step();
  const from = encodeCheckpoint(program, trainer.state());
  for (let i = 0; i < 5; i++) await trainer.step();
  const to = encodeCheckpoint(program, trainer.state());
  await trainer.close();
  return { spec: encodeJobSpec(spec), train: encodeDataset(train), from, to };
}

describe("auditInterval", () => {
  let ofNative: IntervalFiles;
  let ofCanonical: IntervalFiles;
  beforeAll(async () => {
    ofNative = await commit(tinyJob(), native);
    ofCanonical = await commit(tinyJob({ class: "canonical" }), wasm);
  });

  it("accepts honest native work on another runtime, and names every file by its hash", async () => {
    const steps: number[] = [];
    const audit = await auditInterval(ofNative, wasm, (step) => steps.push(step));
    expect(audit).toMatchObject({ fromStep: 5, toStep: 10, accepted: true });
    expect(audit.hashes).toEqual({
      spec: sha256Hex(ofNative.spec),
      train: sha256Hex(ofNative.train),
      from: sha256Hex(ofNative.from),
      to: sha256Hex(ofNative.to),
    });
    expect(audit.replayed).not.toBe(audit.hashes.to);
    expect(steps).toEqual([6, 7, 8, 9, 10]);
  });

  it("accepts canonical work only by equal hashes", async () => {
    const audit = await auditInterval(ofCanonical, wasm);
    expect(audit).toMatchObject({ accepted: true, distance: { params: 0, moment: 0 } });
    expect(audit.replayed).toBe(audit.hashes.to);
    const nudged = ofCanonical.to.slice();
    nudged[nudged.length - 4] = (nudged.at(-4) as number) ^ 1;
    expect((await auditInterval({ ...ofCanonical, to: nudged }, wasm)).accepted).toBe(false);
  });

  it("refuses work that was not done", async () => {
    const steps = tinyJob().program;
    const idle = encodeCheckpoint(steps, { ...initialState(steps), step: 10 });
    const audit = await auditInterval({ ...ofNative, to: idle }, wasm);
    expect(audit.accepted).toBe(false);
    expect(audit.distance.params).toBeGreaterThan(0.5);
  });

  it.each<[string, (files: IntervalFiles) => IntervalFiles, RegExp]>([
    ["other training data", (files) => ({ ...files, train: encodeDataset(tinyJob().heldOut) }), /training data's hash/],
    [
      "states in the wrong order",
      (files) => ({ ...files, from: files.to, to: files.from }),
      /second state is of step 5/,
    ],
    ["a state of another job", (files) => ({ ...files, from: ofCanonical.from }), /specHash/],
    [
      "a spec that is not canonical",
      (files) => ({ ...files, spec: new Uint8Array([...files.spec, 0x20]) }),
      /canonical form/,
    ],
  ])("says what is wrong with %s", async (_, change, message) => {
    await expect(auditInterval(change(ofNative), wasm)).rejects.toThrow(message);
  });
});
