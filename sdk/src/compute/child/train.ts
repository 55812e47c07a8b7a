import { assertFinite, TrainingError } from "../../training/index.ts";
import type { TrainArguments } from "../protocol.ts";
import { isTracePoint } from "../tracePoints.ts";
import type { StepReport, TracePoint, TrainResult } from "../types.ts";
import type { OpenedProgram } from "./openedProgram.ts";
import { writeState } from "./stateFile.ts";

/** What the host wants of a run, looked at between steps. */
export interface TrainControl {
  paused: boolean;
  stopped: boolean;
  /** stopping makes the last state a trace point */
  traceAtStop: boolean;
  /** called by whoever changes one of them */
  wake: () => void;
}

export interface TrainSink {
  steps(steps: readonly StepReport[]): void;
  trace(point: TracePoint): void;
}

/** Steps that finish within this time are reported together. */
const REPORT_EVERY_MS = 40;

/** Runs steps up to `toStep`, reporting losses and writing states at trace points. */
export async function train(
  opened: OpenedProgram,
  request: TrainArguments,
  control: TrainControl,
  sink: TrainSink,
): Promise<TrainResult> {
  const { program } = opened;
  const trainer = opened.trainer();
  const parent = await opened.state(request.parentPath);
  trainer.load(parent);
  const isTraced = (step: number) => isTracePoint({ ...request, totalSteps: request.toStep }, step);
  let done = parent.step;
  let tracedAt = parent.step;
  let reported = performance.now();
  let steps: StepReport[] = [];

  const report = () => {
    if (steps.length > 0) sink.steps(steps);
    steps = [];
    reported = performance.now();
  };
  const trace = async () => {
    report();
    // A state that lives on a GPU is fetched for its trace points only.
    await trainer.sync();
    // What may be committed must hold up before a judge. A number that is none stays in the state, so that points in between need no look.
    if (done % request.checkpointInterval === 0 || done === request.toStep || control.stopped)
      assertFinite(program, trainer.state());
    const leaf = trainer.traceLeaf();
    const { path, bytes } = writeState(program, trainer.state(), leaf.stateHash, request.outDir);
    tracedAt = leaf.step;
    sink.trace({ leaf, statePath: path, bytes });
  };

  while (done < request.toStep) {
    // Messages from the host are read between steps; a turn of the event loop costs microseconds.
    await new Promise((resolve) => setImmediate(resolve));
    while (control.paused && !control.stopped) {
      report();
      await new Promise<void>((resolve) => {
        control.wake = resolve;
      });
    }
    if (control.stopped) break;
    const began = performance.now();
    const { step, loss, learningRate, microBatch } = await trainer.step();
    // Nothing that follows could be accepted; a judge refuses a state that holds such numbers.
    if (!Number.isFinite(loss)) throw new TrainingError("NOT_FINITE", `The loss of step ${step} is ${loss}.`);
    done = step;
    const memoryMb = Math.round(process.memoryUsage.rss() / 2 ** 20);
    steps.push({ step, loss, lr: learningRate, ms: performance.now() - began, microBatch, memoryMb });
    if (isTraced(step)) await trace();
    else if (performance.now() - reported >= REPORT_EVERY_MS) report();
  }
  if (control.stopped && control.traceAtStop && done > tracedAt) await trace();
  report();
  return { step: done, stopped: done < request.toStep };
}
