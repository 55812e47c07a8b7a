import { fetchCheckpoint, fetchPublicBlob, fetchTelemetry } from "../../client/index.ts";
import { parseText } from "../../daemon/index.ts";
import type { Hex } from "../../records/index.ts";
import { modelFiles } from "../modelFiles.ts";
import { toJson } from "../output.ts";
import { parseCheckpoint, parseFlag, parseJobId } from "../parseId.ts";
import { saveFiles } from "../saveFiles.ts";
import type { Session } from "../session.ts";

export interface FetchOptions {
  out?: string;
  checkpoint?: string;
}

/** What each file is for. */
const contents: Record<string, string> = {
  "checkpoint.safetensors": "weights, moments and all it takes to train on, as committed",
  "model.onnx": "the model alone, for any ONNX runtime",
  "adapter/adapter_config.json": "the adapter, for PEFT",
  "adapter/adapter_model.safetensors": "the adapter's weights",
  "config.json": "the merged model's sizes and classes, for Hugging Face's classes",
  "model.safetensors": "base and adapter merged, for Hugging Face's classes",
  "spec.json": "what was trained, to the byte",
  "tokenizer.json": "how texts become numbers (Hugging Face)",
  "tokenizer.hashed-words.json": "how texts become numbers: words are hashed",
  "metrics.json": "loss of every step, scores of every checkpoint",
  "receipts.json": "hand-overs between providers, signed by the verifiers",
  "proof.json": "where all this stands on chain",
};

/** Downloads a model: the checkpoint as committed, the model as ONNX, spec, tokenizer, metrics, receipts and a proof of where
 * it comes from. */
export async function fetchModel(session: Session, job: string, options: FetchOptions): Promise<void> {
  const jobId = parseJobId(job);
  const checkpointId = options.checkpoint === undefined ? undefined : parseCheckpoint(jobId, options.checkpoint);
  const folder = options.out === undefined ? `job-${jobId}` : parseFlag("--out", options.out, parseText);
  const client = await session.connect();
  const { signal } = session;
  session.output.progress("fetching from the job's verifiers");
  const found = await fetchCheckpoint({ client, jobId, signal, ...(checkpointId !== undefined && { checkpointId }) });
  const { spec, commit, bytes } = found;
  const blob = (sha256: Hex) => fetchPublicBlob(client, { jobId, sha256, signal });
  const content = await modelFiles(spec, bytes, blob);
  const [checkpoint, checkpoints, telemetry] = await Promise.all([
    client.read.getCheckpoint({ checkpointId: commit.checkpointId }),
    client.read.getCheckpoints({ jobId }),
    fetchTelemetry({ client, jobId, signal }),
  ]);
  const scores = checkpoints.map(({ index, step, status, votes }) => ({ checkpoint: index, step, status, votes }));
  content.set("metrics.json", `${toJson({ checkpoints: scores, steps: telemetry.steps })}\n`);
  content.set("receipts.json", `${toJson(telemetry.receipts)}\n`);
  const { chainId, contracts } = client.deployment;
  const proof = { chainId, jobs: contracts.jobs, ...commit, status: checkpoint.status, votes: checkpoint.votes };
  content.set("proof.json", `${toJson(proof)}\n`);
  signal.throwIfAborted();
  saveFiles(folder, content);
  const files = [...content.keys()];
  const value = {
    jobId,
    checkpointId: commit.checkpointId,
    step: commit.step,
    status: checkpoint.status,
    stateHash: commit.stateHash,
    folder,
    files,
  };
  session.output.result(value, () => [
    `${folder}: the model of job ${jobId} after ${commit.step} steps (${checkpoint.status})`,
    ...files.map((name) => `  ${name.padEnd(35)}${contents[name] ?? ""}`.trimEnd()),
    `  its SHA-256 is on chain: ${commit.stateHash}`,
  ]);
}
