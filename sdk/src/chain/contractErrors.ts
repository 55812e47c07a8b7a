import { type Abi, decodeErrorResult, type Hex } from "viem";
import { GpuchainError } from "../daemon/errors.ts";
import { errorHints } from "./errorHints.ts";
import { courtAbi, escrowAbi, jobsAbi, registryAbi, testUsdcAbi } from "./generated/index.ts";
import { checkpointIndexOf, jobIdOf } from "./ids.ts";
import { isPassing, revertData, shortMessage } from "./rpcErrors.ts";

const errorsAbi: Abi = [...jobsAbi, ...registryAbi, ...escrowAbi, ...courtAbi, ...testUsdcAbi].filter(
  (item) => item.type === "error",
);

/** A contract's own error, by name, with its arguments. */
export interface ContractErrorData {
  errorName: string;
  args: readonly unknown[];
}

/** Decodes what a call reverted with; undefined when it is none of the protocol's errors. */
export function decodeContractError(data: Hex): ContractErrorData | undefined {
  if (data === "0x") return undefined;
  try {
    const { errorName, args } = decodeErrorResult({ abi: errorsAbi, data });
    return { errorName, args: args ?? [] };
  } catch (error) {
    if (error instanceof Error && /^Abi|^Decode/.test(error.name)) return undefined;
    throw error;
  }
}

/**
 * Any failure of a contract call as one of ours: REVERTED with the contract's error in `data` and what to do next, or the
 * RPC's failure. Errors that are ours already pass through.
 */
export function fromContractError(
  error: unknown,
  functionName: string,
  extra: Record<string, unknown> = {},
): GpuchainError {
  if (error instanceof GpuchainError) return error;
  const data = revertData(error);
  if (data !== undefined) return revertedError(data, functionName, extra, error);
  const inner = findOurs(error);
  if (inner !== undefined) return inner;
  if (isPassing(error)) {
    return new GpuchainError("RPC_UNREACHABLE", `${functionName}: ${shortMessage(error)}`, {
      retryable: true,
      cause: error,
    });
  }
  return new GpuchainError("CALL_FAILED", `${functionName}: ${shortMessage(error)}`, { cause: error, data: extra });
}

/** REVERTED for the given revert bytes. */
export function revertedError(
  data: Hex,
  functionName: string,
  extra: Record<string, unknown> = {},
  cause?: unknown,
): GpuchainError {
  const decoded = decodeContractError(data);
  if (decoded === undefined) {
    return new GpuchainError("REVERTED", `${functionName} reverted without a reason that this version knows`, {
      hint: "check that the deployment file fits the contracts on this chain",
      cause,
      data: { ...extra, raw: data },
    });
  }
  const { errorName, args } = decoded;
  const hint = errorHints[errorName];
  return new GpuchainError("REVERTED", `${functionName} reverted: ${errorName}(${args.map(String).join(", ")})`, {
    ...(hint !== undefined && { hint }),
    cause,
    data: { ...extra, errorName, args },
  });
}

/** JOB_NOT_FOUND: nobody posted a job of this number on this network. */
export function jobNotFound(jobId: bigint): GpuchainError {
  return new GpuchainError("JOB_NOT_FOUND", `there is no job ${jobId} on this network`, {
    hint: "check the job's number and the network; `gpuchain list` shows your jobs",
  });
}

/** CHECKPOINT_NOT_FOUND: nothing was committed under this id on this network. */
export function checkpointNotFound(checkpointId: bigint): GpuchainError {
  const [jobId, index] = [jobIdOf(checkpointId), checkpointIndexOf(checkpointId)];
  return new GpuchainError("CHECKPOINT_NOT_FOUND", `job ${jobId} has no checkpoint ${index}`, {
    hint: `\`gpuchain show ${jobId}\` lists its checkpoints`,
  });
}

/** True for a REVERTED error, of the given contract error when one is named. */
export function isRevert(error: unknown, errorName?: string): error is GpuchainError {
  if (!(error instanceof GpuchainError) || error.code !== "REVERTED") return false;
  return errorName === undefined || error.data.errorName === errorName;
}

function findOurs(error: unknown): GpuchainError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 12; at = at.cause, depth++) {
    if (at instanceof GpuchainError) return at;
  }
  return undefined;
}
