import { TrainingError } from "../errors.ts";
import { copyState, type TrainingState } from "../state/state.ts";
import { createTrainer, type TrainerParameters } from "../trainer/createTrainer.ts";

export interface ReplayReturnType {
  readonly state: TrainingState;
  readonly batchDigest: string;
  readonly meanLoss: number;
}

/**
 * Re-runs the steps from a state on. Pure: the same program, state and data give the same result, to the bit on one runtime.
 *
 * @param parameters as for a trainer; `state` is where to start
 * @param steps how many, at least 1
 */
export async function replay(parameters: TrainerParameters, steps: number): Promise<ReplayReturnType> {
  if (!Number.isInteger(steps) || steps < 1) throw new TrainingError("BAD_INPUT", `Cannot replay ${steps} steps.`);
  const trainer = await createTrainer(parameters);
  try {
    for (let i = 0; i < steps; i++) await trainer.step();
    await trainer.sync();
    const { batchDigest, meanLoss } = trainer.traceLeaf();
    return { state: copyState(trainer.state()), batchDigest, meanLoss };
  } finally {
    await trainer.close();
  }
}
