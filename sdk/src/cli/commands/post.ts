import { type PostJobProgress, postJob } from "../../client/index.ts";
import { parseText, parseUsdc } from "../../daemon/index.ts";
import { readJobFile } from "../jobFile.ts";
import { usdc } from "../output.ts";
import { parseFlag } from "../parseId.ts";
import type { Session } from "../session.ts";

export interface PostOptions {
  budget?: string;
  name?: string;
}

/** Posts a job and uploads its data; running it again after a crash or Ctrl-C goes on where it stopped. */
export async function post(session: Session, path: string, options: PostOptions): Promise<void> {
  const asked = options.budget === undefined ? undefined : parseFlag("--budget", options.budget, parseUsdc);
  const name = options.name === undefined ? undefined : parseFlag("--name", options.name, parseText);
  const { spec, blobs, terms, notes } = readJobFile(path, session.output.progress);
  const budget = asked ?? terms.budget;
  for (const note of notes) session.output.progress(note);
  const context = await session.context();
  const posted = await postJob(context, {
    ...{ spec, blobs, terms: { ...terms, ...(budget !== undefined && { budget }) } },
    ...(name !== undefined && { name }),
    onProgress: (progress) => session.output.progress(describe(progress)),
  });
  const { jobId, hash, already, holders } = posted;
  const value = {
    jobId,
    hash,
    already,
    budget: usdc(posted.terms.budget),
    specHash: posted.terms.specHash,
    holders: holders.map(({ url }) => url),
  };
  session.output.result(value, () => [
    `job ${jobId} ${already ? "was posted before and is complete" : "is posted"}; ${holders.length} verifiers hold its data`,
    `  gpuchain watch ${jobId}`,
  ]);
}

function describe(progress: PostJobProgress): string {
  if (progress.stage === "checked") {
    return `locking ${usdc(progress.terms.budget)} USDC (worst case ${usdc(progress.worstCase)}); what is not spent comes back`;
  }
  if (progress.stage === "posted")
    return `job ${progress.jobId} ${progress.already ? "found" : "posted"} in ${progress.hash}`;
  return `${progress.endpoint.url} holds ${progress.done} of ${progress.total} blobs`;
}
