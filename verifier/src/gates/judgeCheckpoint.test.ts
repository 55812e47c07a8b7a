import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Compute, type OpenRequest, startCompute } from "@gpuchain/sdk/compute";
import { type Hex, sha256Hex, type TraceLeaf } from "@gpuchain/sdk/records";
import { createProgram, decodeCheckpoint, encodeCheckpoint, type TrainingState } from "@gpuchain/sdk/training";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TinyJobOptions, tinyJob, writeJob } from "../testing/tinyJob.ts";
import { drawnIntervals, judgeCheckpoint, type Subject } from "./judgeCheckpoint.ts";

/** Both intervals of each segment are replayed, so that what is tested is the gates, not the draw. */
const options: TinyJobOptions = { replayedIntervals: 2 };
const job = tinyJob(options);
const program = createProgram(job.spec);
let folder: string;
let open: OpenRequest;
let compute: Compute;
let parent: { path: string; state: TrainingState };

interface Segment {
  readonly leaves: TraceLeaf[];
  /** states by hash */
  readonly files: Map<Hex, string>;
}

let runs = 0;
const outDir = () => {
  const path = join(folder, `out-${++runs}`);
  mkdirSync(path);
  return path;
};

async function train(child: Compute, fromPath: string | "genesis", toStep: number): Promise<Segment> {
  const leaves: TraceLeaf[] = [];
  const files = new Map<Hex, string>();
  await child.train({
    parentPath: fromPath,
    toStep,
    traceInterval: 5,
    checkpointInterval: 10,
    outDir: outDir(),
    onTrace: ({ leaf, statePath }) => {
      leaves.push(leaf);
      files.set(leaf.stateHash, statePath);
    },
  }).done;
  return { leaves, files };
}

/** The state after a step that is no trace point. */
async function trainTo(step: number): Promise<{ hash: Hex; path: string }> {
  const { stateHash: hash, statePath: path = "" } = await compute.replay({
    fromPath: parent.path,
    toStep: step,
    outDir: outDir(),
  });
  return { hash, path };
}

/** Trains under another spec (a cheat's) and passes the states off as this job's. */
async function trainAs(cheat: TinyJobOptions, toStep = 20): Promise<Segment> {
  const theirs = tinyJob({ ...options, ...cheat });
  const child = await startCompute({ runtime: "native", threads: 1 });
  try {
    const cheatProgram = createProgram(theirs.spec);
    await child.open(writeJob(theirs, join(folder, `cheat-${++runs}`)));
    const start = join(folder, `start-${runs}`);
    writeFileSync(start, encodeCheckpoint(cheatProgram, parent.state));
    const { leaves, files } = await train(child, start, toStep);
    return restate(
      leaves.map((leaf) => ({
        leaf,
        state: decodeCheckpoint(cheatProgram, readFileSync(files.get(leaf.stateHash) ?? "")),
      })),
    );
  } finally {
    await child.close();
  }
}

/** Leaves and files for states that a provider claims. */
function restate(claims: readonly { leaf: TraceLeaf; state: TrainingState }[]): Segment {
  const files = new Map<Hex, string>();
  const leaves = claims.map(({ leaf, state }) => {
    const bytes = encodeCheckpoint(program, state);
    const stateHash = sha256Hex(bytes);
    const path = join(folder, stateHash.slice(2));
    writeFileSync(path, bytes);
    files.set(stateHash, path);
    return { ...leaf, stateHash };
  });
  return { leaves, files };
}

const statesOf = ({ leaves, files }: Segment) =>
  leaves.map((leaf) => ({ leaf, state: decodeCheckpoint(program, readFileSync(files.get(leaf.stateHash) ?? "")) }));

function judge(
  segment: Segment,
  changes: Partial<Subject> = {},
  states: ReadonlyMap<Hex, string> = segment.files,
  sameBits = false,
) {
  const last = segment.leaves.at(-1) as TraceLeaf;
  const asked: Hex[] = [];
  const evaluated: string[] = [];
  const watched: Compute = {
    ...compute,
    evaluate: (request) => {
      evaluated.push(request.statePath);
      return compute.evaluate(request);
    },
  };
  const judgement = judgeCheckpoint({
    subject: {
      spec: job.spec,
      step: 20,
      stateHash: last.stateHash,
      commitBlockHash: `0x${"5a".repeat(32)}`,
      parentStep: 10,
      statePath: segment.files.get(last.stateHash) ?? "",
      parentPath: parent.path,
      leaves: segment.leaves,
      isLastStep: false,
      heldOutExamples: 64,
      ...changes,
    },
    use: (work) => work(watched),
    states: async (hashes) => {
      asked.push(...hashes);
      return new Map(hashes.flatMap((hash) => (states.has(hash) ? [[hash, states.get(hash) ?? ""] as const] : [])));
    },
    peerIntervals: () => [],
    sameBits,
    signal: AbortSignal.timeout(60_000),
  });
  return judgement.then((result) => ({
    ...result,
    asked,
    evaluated,
    words: result.gates.filter(({ ok }) => !ok).map(({ reason }) => reason),
  }));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpuchain-judge-"));
  open = writeJob(job, folder);
  compute = await startCompute({ runtime: "native", threads: 1 });
  await compute.open(open);
  const first = await train(compute, "genesis", 10);
  const path = first.files.get(first.leaves.at(-1)?.stateHash ?? "0x") ?? "";
  parent = { path, state: decodeCheckpoint(program, readFileSync(path)) };
});
afterAll(async () => {
  await compute.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("honest work", () => {
  it("is accepted, with the states of the drawn intervals asked for and the metric measured", async () => {
    const segment = await train(compute, parent.path, 20);
    const judgement = await judge(segment);
    expect(judgement).toMatchObject({ outcome: "Accept", metTarget: false, words: [] });
    expect(judgement.gates.map(({ gate }) => gate)).toEqual(["integrity", "replay", "replay", "quality"]);
    expect(judgement.asked).toEqual([segment.leaves[0]?.stateHash]);
    expect(judgement.score).toBe(Math.round((judgement.gates.at(-1)?.metrics?.balancedAccuracy ?? 0) * 1e6));
    expect(judgement.predictionsRoot).not.toMatch(/^0x0+$/);
  });

  it("is accepted from the parent's bytes alone when nobody sends the states", async () => {
    const segment = await train(compute, parent.path, 20);
    const judgement = await judge(segment, {}, new Map());
    expect(judgement.outcome).toBe("Accept");
    expect(judgement.gates.filter(({ gate }) => gate === "replay").map(({ source }) => source)).toEqual([
      "recomputed",
      "recomputed",
    ]);
  });

  it("is accepted when a node of another kind did it: other bits, the same training", async () => {
    const wasm = await startCompute({ runtime: "wasm", threads: 1 });
    try {
      await wasm.open(open);
      const segment = await train(wasm, parent.path, 20);
      const judgement = await judge(segment);
      expect(judgement.outcome).toBe("Accept");
      // Without the states too: then only the whole segment can be compared.
      expect((await judge(segment, {}, new Map())).outcome).toBe("Accept");
    } finally {
      await wasm.close();
    }
  });

  it("of a provider whose bits were the same before is judged without the states after its intervals", async () => {
    const segment = await train(compute, parent.path, 20);
    const [first, last] = segment.leaves as [TraceLeaf, TraceLeaf];
    const judgement = await judge(
      segment,
      {},
      new Map([[first.stateHash, segment.files.get(first.stateHash) ?? ""]]),
      true,
    );
    expect(judgement.outcome).toBe("Accept");
    const replays = judgement.gates.filter(({ gate }) => gate === "replay");
    expect(replays.map(({ replayedHash }) => replayedHash)).toEqual(
      expect.arrayContaining([first.stateHash, last.stateHash]),
    );
    expect(judgement.asked).toEqual([first.stateHash]);
  });

  it("with other bits than expected has the states after its intervals fetched and measured, or the whole replayed", async () => {
    const wasm = await startCompute({ runtime: "wasm", threads: 1 });
    try {
      await wasm.open(open);
      const segment = await train(wasm, parent.path, 20);
      const [first] = segment.leaves as [TraceLeaf];
      const spec = { ...job.spec, acceptance: { ...job.spec.acceptance, replayedIntervals: 1 } };
      // A block hash that draws the first interval: its end is neither the parent nor the checkpoint.
      const commitBlockHash = Array.from({ length: 64 }, (_, i): Hex => `0x${i.toString(16).padStart(64, "0")}`).find(
        (hash) => drawnIntervals({ spec, leaves: segment.leaves, commitBlockHash: hash })[0] === 0,
      );
      const drawn = { spec, ...(commitBlockHash === undefined ? {} : { commitBlockHash }) };
      const judgement = await judge(segment, drawn, segment.files, true);
      expect(judgement.outcome).toBe("Accept");
      expect(judgement.asked).toEqual([first.stateHash]);
      expect(judgement.gates.find(({ gate }) => gate === "replay")).toMatchObject({
        source: "provider",
        claimedHash: first.stateHash,
        distance: { params: expect.any(Number) },
      });
      const withheld = await judge(segment, drawn, new Map(), true);
      expect(withheld.outcome).toBe("Accept");
      expect(withheld.gates.find(({ gate }) => gate === "replay")).toMatchObject({
        source: "recomputed",
        interval: { fromStep: 10, toStep: 20 },
      });
    } finally {
      await wasm.close();
    }
  });

  it("is held against what was measured of the parent where that leaves no doubt, else the parent is measured again", async () => {
    const segment = await train(compute, parent.path, 20);
    const plain = await judge(segment, { parentMetrics: { nll: 1, balancedAccuracy: 0 } });
    expect(plain.evaluated).not.toContain(parent.path);
    expect(plain.gates.at(-1)).toMatchObject({ gate: "quality", ok: true, baseline: { balancedAccuracy: 0 } });
    const doubtful = await judge(segment, { parentMetrics: { nll: 0, balancedAccuracy: 5 } });
    expect(doubtful.evaluated).toContain(parent.path);
    expect(doubtful.gates.at(-1)).toMatchObject({ gate: "quality", ok: true });
  });

  it("is replayed as a whole when the metric falls, and accepted all the same", async () => {
    const segment = await train(compute, parent.path, 20);
    // Every change counts as a fall beyond a tolerance of less than nothing.
    const judgement = await judge(segment, {
      spec: { ...job.spec, acceptance: { ...job.spec.acceptance, tolerance: -10 } },
    });
    expect(judgement.outcome).toBe("Accept");
    expect(judgement.gates.at(-2)).toMatchObject({ gate: "quality", ok: false });
    expect(judgement.gates.at(-1)).toMatchObject({ gate: "replay", ok: true, interval: { fromStep: 10, toStep: 20 } });
  });

  it("of the last step is held against the client's target, on every held-out example; missing it refuses nothing", async () => {
    const segment = await train(compute, parent.path, 20);
    const met = await judge(segment, { isLastStep: true });
    expect(met).toMatchObject({ outcome: "Accept", metTarget: true });
    expect(met.gates.at(-1)?.subsetSize).toBe(64);
    const unreachable = { ...job.spec, acceptance: { ...job.spec.acceptance, target: 1.1 } };
    expect(await judge(segment, { isLastStep: true, spec: unreachable })).toMatchObject({
      outcome: "Accept",
      metTarget: false,
    });
    const withheld = await judge(segment, { isLastStep: true, heldOutExamples: 0 });
    expect(withheld).toMatchObject({ outcome: "Accept", metTarget: false, score: 0 });
  });
});

describe("work that was not done", () => {
  const refused = async (
    segment: Segment,
    gate: "integrity" | "replay",
    words: RegExp,
    changes: Partial<Subject> = {},
  ) => {
    const judgement = await judge(segment, changes);
    expect(judgement.outcome).toBe("Refuse");
    expect(judgement.gates.at(-1)).toMatchObject({ gate, ok: false });
    expect(judgement.words.join(" ")).toMatch(words);
    if (gate === "replay") expect(judgement.refusedInterval).toBeDefined();
  };
  const noise = (values: Float32Array, scale: number) =>
    values.map((value, i) => value + scale * Math.sin(i * 12.9898) * Math.abs(value || 1e-3));

  it("junk: noise in the place of training", async () => {
    const honest = statesOf(await train(compute, parent.path, 20));
    const junk = restate(
      honest.map(({ leaf, state }) => ({ leaf, state: { ...state, params: noise(parent.state.params, 0.5) } })),
    );
    await refused(junk, "replay", /not trained: update distance/);
  });

  it("echo: the parent's weights under a new step", async () => {
    const honest = statesOf(await train(compute, parent.path, 20));
    const echo = restate(honest.map(({ leaf }) => ({ leaf, state: { ...parent.state, step: leaf.step } })));
    await refused(echo, "replay", /not trained/);
  });

  it("step inflation: a state of an earlier step claimed as a later one", async () => {
    const honest = await train(compute, parent.path, 20);
    const [first, last] = honest.leaves as [TraceLeaf, TraceLeaf];
    const inflated = { ...honest, leaves: [first, { ...last, stateHash: first.stateHash }] };
    await refused(inflated, "integrity", /step 15, not 20/, {
      stateHash: first.stateHash,
      statePath: honest.files.get(first.stateHash) ?? "",
    });
  });

  it("other data, another learning rate, a skipped step, reset moments", async () => {
    await refused(await trainAs({ seed: 8 }), "replay", /other batches|not trained/);
    await refused(await trainAs({ peak: 0.0101 }), "replay", /not trained/);
    const honest = statesOf(await train(compute, parent.path, 20));
    const skipped = restate(
      honest.map(({ leaf, state }, i) => ({ leaf, state: i === 0 ? { ...parent.state, step: 15 } : state })),
    );
    await refused(skipped, "replay", /not trained/);
    const reset = restate(
      honest.map(({ leaf, state }) => ({
        leaf,
        state: { ...state, m: state.m.map(() => 0), v: state.v.map(() => 0) },
      })),
    );
    await refused(reset, "replay", /not trained/);
  });

  it("bytes that are no state: cut short, not finite, of another job", async () => {
    const honest = await train(compute, parent.path, 20);
    const [{ leaf, state } = { leaf: undefined, state: undefined }] = statesOf(honest).slice(-1);
    if (leaf === undefined || state === undefined) throw new Error("no last leaf");
    const claim = (bytes: Uint8Array): [Segment, Partial<Subject>] => {
      const stateHash = sha256Hex(bytes);
      const statePath = join(folder, stateHash.slice(2));
      writeFileSync(statePath, bytes);
      const leaves = [...honest.leaves.slice(0, -1), { ...leaf, stateHash }];
      return [
        { leaves, files: new Map([...honest.files, [stateHash, statePath]]) },
        { stateHash, statePath },
      ];
    };
    const bytes = encodeCheckpoint(program, state);
    const [cut, cutChanges] = claim(bytes.subarray(0, bytes.length - 4));
    await refused(cut, "integrity", /./, cutChanges);
    const poisoned = state.params.slice();
    poisoned[3] = Number.NaN;
    const [nan, nanChanges] = claim(encodeCheckpoint(program, { ...state, params: poisoned }));
    await refused(nan, "integrity", /NaN/, nanChanges);
    const other = createProgram(tinyJob({ seed: 9 }).spec);
    const [foreign, foreignChanges] = claim(encodeCheckpoint(other, state));
    await refused(foreign, "integrity", /specHash/, foreignChanges);
  });

  it("a trace state that cannot be read, or is of another step than its leaf says", async () => {
    const honest = await train(compute, parent.path, 20);
    const [first, last] = honest.leaves as [TraceLeaf, TraceLeaf];
    const rubbish = Uint8Array.of(1, 2, 3);
    const path = join(folder, sha256Hex(rubbish).slice(2));
    writeFileSync(path, rubbish);
    const leaves = [{ ...first, stateHash: sha256Hex(rubbish) }, last];
    await refused(
      { leaves, files: new Map([...honest.files, [sha256Hex(rubbish), path]]) },
      "replay",
      /could not be compared|file|bytes/i,
    );
    const early = await trainTo(13);
    const shifted = [{ ...first, stateHash: early.hash }, last];
    await refused(
      { leaves: shifted, files: new Map([...honest.files, [early.hash, early.path]]) },
      "replay",
      /step 13|other batches/,
    );
  });

  it.each([
    ["one that is no number", (params: Float32Array) => params.fill(Number.NaN, 3, 4)],
    ["one that is infinite", (params: Float32Array) => params.fill(Number.POSITIVE_INFINITY, 3, 4)],
    ["all of them as large as can be", (params: Float32Array) => params.fill(3e38)],
  ])("absurd weights, %s, whether before or in what is drawn, or where only the metric tells", async (_, poison) => {
    const honest = statesOf(await train(compute, parent.path, 20));
    const withPoison = (at: number) =>
      restate(
        honest.map(({ leaf, state }, i) => ({
          leaf,
          state: i === at ? { ...state, params: poison(state.params.slice()) } : state,
        })),
      );
    const spec = (metric: "nll" | "balancedAccuracy") => {
      const acceptance = { ...job.spec.acceptance, replayedIntervals: 1, metric };
      return { ...job.spec, acceptance };
    };
    /** Changes under which the given interval is the one that is drawn. */
    const drawing = (segment: Segment, index: number, metric: "nll" | "balancedAccuracy"): Partial<Subject> => {
      for (let i = 0; ; i++) {
        const changes = { spec: spec(metric), commitBlockHash: `0x${i.toString(16).padStart(64, "0")}` as const };
        if (drawnIntervals({ ...changes, leaves: segment.leaves })[0] === index) return changes;
      }
    };
    const middle = withPoison(0);
    for (const index of [0, 1]) await refused(middle, "replay", /./, drawing(middle, index, "balancedAccuracy"));
    const last = withPoison(1);
    const judgement = await judge(last, drawing(last, 0, "nll"));
    expect(judgement.outcome).toBe("Refuse");
    expect(JSON.parse(JSON.stringify(judgement.gates))).toEqual(judgement.gates);
  });

  it("a trace whose curve is better than the training", async () => {
    const honest = await train(compute, parent.path, 20);
    const flattering = honest.leaves.map((leaf) => ({ ...leaf, meanLoss: leaf.meanLoss / 2 }));
    await refused({ ...honest, leaves: flattering }, "replay", /says a mean loss of/);
  });

  it("a trace with holes, with more points than asked for, or that ends elsewhere", async () => {
    const honest = await train(compute, parent.path, 20);
    const [first, last] = honest.leaves as [TraceLeaf, TraceLeaf];
    await refused({ ...honest, leaves: [last] }, "integrity", /points at steps 20; the job asks for 15, 20/);
    await refused(
      { ...honest, leaves: [{ ...first, step: 11 }, first, last] },
      "integrity",
      /points at steps 11, 15, 20/,
    );
    await refused(honest, "integrity", /which is not the checkpoint/, { stateHash: first.stateHash });
  });

  it("is refused from the parent's bytes alone when the provider withholds its states", async () => {
    const honest = statesOf(await train(compute, parent.path, 20));
    const junk = restate(
      honest.map(({ leaf, state }) => ({ leaf, state: { ...state, params: noise(state.params, 0.1) } })),
    );
    const judgement = await judge(junk, {}, new Map());
    expect(judgement.outcome).toBe("Refuse");
    expect(judgement.refusedInterval).toEqual({ fromStep: 10, toStep: 20 });
  });
});
