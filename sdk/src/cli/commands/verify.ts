import { verifyCheckpoint } from "../../client/index.ts";
import { GpuchainError, parseChoice, parseInteger } from "../../daemon/index.ts";
import { parseCheckpoint, parseFlag, parseJobId } from "../parseId.ts";
import type { Session } from "../session.ts";

export interface VerifyOptions {
  checkpoint?: string;
  replay?: boolean;
  runtime?: string;
  threads?: string;
}

/** Re-runs on this machine what was paid for, and the evaluation; exits with 1 when the work does not hold. */
export async function verify(session: Session, job: string, options: VerifyOptions): Promise<void> {
  const jobId = parseJobId(job);
  const checkpointId = options.checkpoint === undefined ? undefined : parseCheckpoint(jobId, options.checkpoint);
  const runtime = parseFlag("--runtime", options.runtime ?? "native", parseChoice(["native", "wasm"]));
  const threads = parseFlag("--threads", options.threads ?? "2", parseInteger({ min: 1, max: 256 }));
  const client = await session.connect();
  const hasKey = (await session.address()) !== undefined;
  const account = hasKey ? await session.account() : undefined;
  const result = await verifyCheckpoint({
    ...{ client, jobId, signal: session.signal, onProgress: (text: string) => session.output.progress(text) },
    ...(checkpointId !== undefined && { checkpointId }),
    ...(account !== undefined && { account }),
    ...{ replay: options.replay !== false, runtime, threads },
  });
  const { commit, replay, evaluation } = result;
  const holds = replay?.ok ?? true;
  const value = { jobId, checkpointId: commit.checkpointId, step: commit.step, holds, replay, evaluation };
  session.output.result(value, () => [
    `job ${jobId}, step ${commit.step}: the bytes have the hash that is on chain`,
    ...(replay === undefined
      ? []
      : [
          replay.sameBits
            ? `steps ${replay.fromStep + 1} to ${replay.toStep} run again: the same bits`
            : `steps ${replay.fromStep + 1} to ${replay.toStep} run again: distance of the updates ${replay.distance?.params.toExponential(2)} (parameters), ${replay.distance?.moment.toExponential(2)} (moment): ${replay.ok ? "honest work" : "NOT the work that was asked for"}`,
        ]),
    evaluation === undefined
      ? "not evaluated: only the job's client may read its held-out data (give its key)"
      : `on ${evaluation.examples} held-out examples: accuracy ${evaluation.accuracy?.toFixed(4) ?? "–"}, balanced ${evaluation.balancedAccuracy?.toFixed(4) ?? "–"}, nll ${evaluation.nll.toFixed(4)}; the target is ${evaluation.metTarget ? "met" : "missed"}`,
  ]);
  if (!holds) {
    throw new GpuchainError("WORK_NOT_CONFIRMED", "the committed state does not follow from its parent", {
      hint: "within the dispute window the client can run: gpuchain dispute",
    });
  }
}
