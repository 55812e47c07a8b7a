import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { StartCompute, TracePoint, TrainRequest } from "@gpuchain/sdk/compute";
import { parseJobSpec, sha256Hex } from "@gpuchain/sdk/records";
import { createProgram, decodeCheckpoint, encodeCheckpoint, initialState, type Program } from "@gpuchain/sdk/training";

/**
 * A provider that hands in junk: it trains like any other (so that it looks alive and on time), but every state it shows is that of an
 * untrained model, well formed and finite. The node does not know: the fault sits between it and its training process.
 */
export function junkCompute(start: StartCompute): StartCompute {
  return async (options) => {
    const compute = await start(options);
    let program: Program | undefined;
    return {
      ...compute,
      get alive() {
        return compute.alive;
      },
      async open(request) {
        program = createProgram(parseJobSpec(await readFile(request.specPath)));
        return compute.open(request);
      },
      train(request) {
        let replacing = Promise.resolve();
        const onTrace = (point: TracePoint) => {
          replacing = replacing.then(() => replace(program, request, point));
        };
        const run = compute.train({ ...request, onTrace });
        const after = async <T>(result: Promise<T>) => {
          const value = await result;
          await replacing;
          return value;
        };
        return { ...run, done: after(run.done), stop: (stopOptions) => after(run.stop(stopOptions)) };
      },
    };
  };
}

/** Writes the junk state beside the real one and hands its hash on, as if it were what was trained. */
async function replace(program: Program | undefined, request: TrainRequest, point: TracePoint): Promise<void> {
  if (!program) throw new Error("a job must be open before it trains");
  const real = decodeCheckpoint(program, await readFile(point.statePath));
  const untrained = initialState(program).params;
  // Shifted by step, so that no two trace points claim the same state.
  const params = untrained.map((value, index) => value * (1 + ((real.step + index) % 7) / 1000));
  const bytes = encodeCheckpoint(program, { ...real, params });
  const stateHash = sha256Hex(bytes);
  const statePath = path.join(path.dirname(point.statePath), stateHash.slice(2));
  await writeFile(statePath, bytes);
  request.onTrace?.({ ...point, leaf: { ...point.leaf, stateHash }, statePath, bytes: bytes.length });
}
