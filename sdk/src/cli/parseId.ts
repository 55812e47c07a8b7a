import { checkpointIdOf, jobIdOf } from "../chain/index.ts";
import { GpuchainError, parseUsdc } from "../daemon/index.ts";

/** A job's number as people write it. */
export function parseJobId(text: string): bigint {
  if (!/^[1-9]\d{0,15}$/.test(text)) {
    throw new GpuchainError("USAGE", `"${text}" is no job number`, { hint: "`gpuchain list` shows your jobs" });
  }
  return BigInt(text);
}

/** A checkpoint by its index within its job (1, 2, …) or by its whole id. */
export function parseCheckpoint(jobId: bigint, text: string): bigint {
  if (!/^[1-9]\d{0,30}$/.test(text)) {
    throw new GpuchainError("USAGE", `"${text}" is no checkpoint`, {
      hint: "give its number within the job, as `gpuchain show` lists it",
    });
  }
  const value = BigInt(text);
  if (value < 1n << 32n) return checkpointIdOf(jobId, Number(value));
  if (jobIdOf(value) === jobId) return value;
  throw new GpuchainError("USAGE", `${text} is no checkpoint of job ${jobId}`, {
    hint: `give its number within the job, as \`gpuchain show ${jobId}\` lists it`,
  });
}

/** The value of a flag: wrong usage, in words that name the flag, where `read` refuses it. */
export function parseFlag<Value>(flag: string, text: string, read: (text: string) => Value): Value {
  try {
    return read(text);
  } catch (cause) {
    throw new GpuchainError("USAGE", `${flag}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** USDC that is more than none. */
export function parseSomeUsdc(flag: string, text: string): bigint {
  const amount = parseFlag(flag, text, parseUsdc);
  if (amount > 0n) return amount;
  throw new GpuchainError("USAGE", `${flag}: expected more than 0 USDC`, { hint: "for example 10" });
}
