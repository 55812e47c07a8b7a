import { isAddressEqual, type LocalAccount } from "viem";
import { checkpointIndexOf, type GetCommitReturnType, type GpuchainClient, getJob, getQueue } from "../chain/index.ts";
import type { ComputeRuntime } from "../compute/index.ts";
import { encodeJobSpec, type JobSpec } from "../records/index.ts";
import type { UpdateDistance } from "../training/index.ts";
import { fetchCheckpoint, fetchOwnBlob, fetchPublicBlob } from "./fetchCheckpoint.ts";

export interface VerifyCheckpointParameters {
  client: GpuchainClient;
  jobId: bigint;
  /** Default: the newest accepted one. */
  checkpointId?: bigint;
  /** The job's client may read the held-out data; without its key, or with another's, only the training is re-run. */
  account?: LocalAccount;
  /** Re-runs the steps since the parent. Default true. */
  replay?: boolean;
  runtime?: ComputeRuntime;
  threads?: number;
  signal?: AbortSignal;
  /** Told what is being done. */
  onProgress?: (text: string) => void;
}

export interface VerifyCheckpointReturnType {
  spec: JobSpec;
  commit: GetCommitReturnType;
  /** The steps that were re-run, and how far the claimed state lies from ours; `ok`: within the job's limits. */
  replay?: { fromStep: number; toStep: number; sameBits: boolean; distance?: UpdateDistance; ok: boolean };
  /** The metric on all held-out examples. */
  evaluation?: { examples: number; accuracy?: number; balancedAccuracy?: number; nll: number; metTarget: boolean };
}

/**
 * Does again, on this machine, what was paid for: the steps between a checkpoint and its parent, and the evaluation on
 * the held-out data. All inputs come by hash from the job's seats; nobody's word is taken.
 *
 * @example
 * const { replay, evaluation } = await verifyCheckpoint({ client, jobId: 1n, account });
 * if (replay?.ok === false) console.log("the committed state does not follow from its parent");
 */
export async function verifyCheckpoint(parameters: VerifyCheckpointParameters): Promise<VerifyCheckpointReturnType> {
  const { client, jobId, signal, onProgress, runtime = "native", threads = 2 } = parameters;
  const common = { ...(signal && { signal }) };
  // Here and not above: the rest of this room also runs in browsers, which have neither files nor child processes.
  const [{ mkdtemp, rm, writeFile }, { tmpdir }, { join }, { startCompute }] = await Promise.all([
    import("node:fs/promises"),
    import("node:os"),
    import("node:path"),
    import("../compute/index.ts"),
  ]);
  onProgress?.("fetching the checkpoint and the data");
  const { client: owner } = await getJob(client, { jobId });
  const isOwner = parameters.account !== undefined && isAddressEqual(parameters.account.address, owner);
  const account = isOwner ? parameters.account : undefined;
  const checkpointId = parameters.checkpointId ?? (await getQueue(client, { jobId })).headId;
  const { spec, commit, bytes } = await fetchCheckpoint({ client, jobId, checkpointId, ...common });
  const dir = await mkdtemp(join(tmpdir(), "gpuchain-verify-"));
  const save = async (name: string, content: Uint8Array) => {
    const path = join(dir, name);
    await writeFile(path, content);
    return path;
  };
  const compute = await startCompute({ runtime, threads, ...common });
  try {
    const base = spec.model.architecture === "bert-lora" ? spec.model.baseWeights : undefined;
    const blob = (sha256: GetCommitReturnType["stateHash"]) => fetchPublicOrOwn(client, jobId, sha256, account, signal);
    const heldOut =
      account === undefined
        ? undefined
        : await save("held-out", await openHeldOut(spec, account, await blob(spec.data.heldOut.sha256)));
    const statePath = await save("state", bytes);
    await compute.open({
      specPath: await save("spec", encodeJobSpec(spec)),
      trainPath: await save("train", await blob(spec.data.train.sha256)),
      ...(heldOut !== undefined && { heldOutPath: heldOut }),
      ...(base !== undefined && { basePath: await save("base", await blob(base.sha256)) }),
    });
    const result: VerifyCheckpointReturnType = { spec, commit };
    if (parameters.replay !== false) {
      const isFirst = checkpointIndexOf(commit.parentId) === 0;
      const parent = isFirst
        ? undefined
        : await fetchCheckpoint({ client, jobId, checkpointId: commit.parentId, ...common });
      const fromStep = parent?.commit.step ?? 0;
      onProgress?.(`re-running steps ${fromStep + 1} to ${commit.step}`);
      const fromPath = parent === undefined ? "genesis" : await save("parent", parent.bytes);
      const again = await compute.replay({ fromPath, toStep: commit.step, claimedPath: statePath });
      const sameBits = again.stateHash === commit.stateHash;
      const limits = spec.acceptance.distance;
      const near =
        again.distance !== undefined && again.distance.params < limits.params && again.distance.moment < limits.moment;
      const ok = spec.class === "canonical" ? sameBits : sameBits || near;
      result.replay = {
        fromStep,
        toStep: commit.step,
        sameBits,
        ok,
        ...(again.distance && { distance: again.distance }),
      };
    }
    if (heldOut !== undefined) {
      onProgress?.("evaluating on the held-out data");
      const { examples, accuracy, balancedAccuracy, nll } = await compute.evaluate({ statePath });
      const { metric, target } = spec.acceptance;
      const metTarget = metric === "nll" ? nll <= target : (balancedAccuracy ?? 0) >= target;
      result.evaluation = {
        ...{ examples, nll, metTarget },
        ...(accuracy !== undefined && { accuracy }),
        ...(balancedAccuracy !== undefined && { balancedAccuracy }),
      };
    }
    return result;
  } finally {
    await compute.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** The held-out data in the clear; sealed by `postJob`, they open with what follows from the client's key. */
async function openHeldOut(spec: JobSpec, account: LocalAccount, bytes: Uint8Array): Promise<Uint8Array> {
  if (!spec.data.heldOut.sealed) return bytes;
  const { heldOutKeyOf, openBytes } = await import("../crypto/index.ts");
  return openBytes(bytes, await heldOutKeyOf(account, spec.data.heldOut.plain));
}

async function fetchPublicOrOwn(
  client: GpuchainClient,
  jobId: bigint,
  sha256: GetCommitReturnType["stateHash"],
  account: LocalAccount | undefined,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const common = { jobId, sha256, ...(signal && { signal }) };
  return account === undefined ? fetchPublicBlob(client, common) : fetchOwnBlob(client, account, common);
}
