import { worstCase } from "../../client/index.ts";
import { readJobFile } from "../jobFile.ts";
import { type Output, usdc } from "../output.ts";

/** Reads a job file and its data, and says what would be posted; asks no network. */
export function check(output: Output, path: string): void {
  const { spec, blobs, terms, notes } = readJobFile(path, output.progress);
  const { steps } = spec.training;
  const least =
    terms.verifierFee === undefined
      ? undefined
      : worstCase({
          ...{ totalSteps: steps, checkpointInterval: spec.checkpoint.interval },
          ...{ maxPricePerStep: terms.maxPricePerStep, verifierFee: terms.verifierFee },
        });
  const bytes = blobs.reduce((sum, blob) => sum + blob.length, 0);
  const rounds = Math.ceil(steps / spec.checkpoint.interval);
  const value = {
    ok: true,
    ...{ title: spec.title, template: spec.template, class: spec.class },
    ...{ steps, checkpoints: rounds, uploadBytes: bytes, notes },
    ...(least !== undefined && { worstCase: usdc(least) }),
  };
  output.result(value, () => [
    `${path} is a valid job: ${spec.title}`,
    ...notes.map((note) => `  ${note}`),
    `  ${steps} steps, ${rounds} checkpoints, ${(bytes / 1e6).toFixed(1)} MB to upload`,
    ...(least === undefined ? [] : [`  worst case ${usdc(least)} USDC`]),
    "  the held-out part is sealed when it is posted: only the verifiers can read it",
  ]);
}
