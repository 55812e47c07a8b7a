import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import type { JobTermsInput } from "../client/index.ts";
import { GpuchainError, parseUsdc } from "../daemon/index.ts";
import { type JobSpec, parseJobSpec, sha256Hex } from "../records/index.ts";
import { decodeUtf8, MAX_TEXT_BYTES } from "../training/data/readers/decodeText.ts";
import { buildJob, jobSchema } from "./jobs/buildJob.ts";
import { parseJsonc } from "./jsonc.ts";

const amount = z.string().transform((text, context) => {
  try {
    return parseUsdc(text);
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error));
    return z.NEVER;
  }
});
const seconds = z.int().min(0);

const moneySchema = z.strictObject({
  maxPricePerStep: amount,
  verifierFee: amount.optional(),
  budget: amount.optional(),
});

const timeSchema = z
  .strictObject({
    deadlineSeconds: seconds,
    leaseDuration: seconds,
    segmentTimeout: seconds,
    auctionRamp: seconds,
    verdictTimeout: seconds,
    gracePeriod: seconds,
    disputeWindow: seconds,
    pulseTimeoutMs: seconds,
  })
  .partial();

const jobFileSchema = z.union([
  z.strictObject({ job: jobSchema, money: moneySchema, time: timeSchema.default({}) }),
  z.strictObject({ spec: z.string(), blobs: z.array(z.string()), money: moneySchema, time: timeSchema.default({}) }),
]);

/** A job ready to be posted. */
export interface PreparedJob {
  spec: JobSpec;
  blobs: Uint8Array[];
  terms: JobTermsInput;
  /** What a person should know of the data, e.g. rows that were left out. */
  notes: string[];
}

/**
 * Reads a job file and all it names; paths are relative to it. The same file and data give the same spec, to the byte.
 *
 * @param onProgress told before something that takes long
 *
 * Errors: JOB_FILE_MISSING, FILE_TOO_LARGE, NOT_UTF8, JOB_FILE_INVALID (naming the field), BAD_DATASET, BAD_JOB_SPEC.
 */
export function readJobFile(path: string, onProgress?: (text: string) => void): PreparedJob {
  const folder = dirname(resolve(path));
  const file = checkJobFile(path, readText(path));
  const terms = withoutUndefined({ ...file.money, ...file.time }) as unknown as JobTermsInput;
  const files = {
    text(name: string) {
      const text = readText(resolve(folder, name));
      if (text.length >= LARGE) onProgress?.(`reading ${name}: its ${Math.round(text.length / 1e6)} MB take a while`);
      return text;
    },
    bytes: (name: string) => new Uint8Array(readBytes(resolve(folder, name))),
  };
  if ("job" in file) return { ...buildJob(file.job, files), terms };
  const spec = parseJobSpec(files.bytes(file.spec));
  const blobs = file.blobs.map(files.bytes);
  return { spec, blobs, terms, notes: blobs.map((bytes, index) => `${file.blobs[index]}: ${sha256Hex(bytes)}`) };
}

function checkJobFile(path: string, text: string): z.output<typeof jobFileSchema> {
  let json: unknown;
  try {
    json = parseJsonc(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new GpuchainError("JOB_FILE_INVALID", `${path}: ${reason}`, {
      hint: "it is JSON; comments are allowed",
      cause,
    });
  }
  // The branch of the union that the file means gives the better message.
  const branch =
    typeof json === "object" && json !== null && "spec" in json ? jobFileSchema.options[1] : jobFileSchema.options[0];
  const checked = branch.safeParse(json);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.map((issue) => `${issue.path.join(".") || "file"}: ${issue.message}`);
  throw new GpuchainError("JOB_FILE_INVALID", `${path}: ${problems.join("; ")}`, {
    hint: "`gpuchain init` writes a file to start from",
  });
}

/** Characters of data that take more than a few seconds to read. */
const LARGE = 10_000_000;

/** Most bytes that Node reads into one buffer. */
const MAX_BYTES = 2 ** 31 - 1;

function readBytes(path: string, most = MAX_BYTES): Buffer {
  const missing = (message: string, cause?: unknown) =>
    new GpuchainError("JOB_FILE_MISSING", message, {
      hint: "check the path; paths in a job file are relative to it",
      cause,
    });
  try {
    const found = statSync(path);
    if (found.isDirectory()) throw missing(`${path} is a folder`);
    // A pipe or a device may have no end, and could not be read a second time.
    if (!found.isFile()) throw missing(`${path} is no plain file`);
    if (found.size > most) {
      const megabytes = (bytes: number) => `${Math.floor(bytes / 1e6)} MB`;
      throw new GpuchainError("FILE_TOO_LARGE", `${path} holds ${megabytes(found.size)}`, {
        hint: `give a part of it: up to ${megabytes(most)} are read`,
      });
    }
    return readFileSync(path);
  } catch (cause) {
    throw cause instanceof GpuchainError ? cause : missing(`cannot read ${path}`, cause);
  }
}

/** A file's text, unpacked where it is gzip; a byte order mark is no part of it. Errors: JOB_FILE_MISSING, FILE_TOO_LARGE, BAD_DATASET, NOT_UTF8. */
export function readText(path: string): string {
  const bytes = unpacked(path, readBytes(path, MAX_TEXT_BYTES));
  try {
    return decodeUtf8(bytes);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new GpuchainError("NOT_UTF8", `${path}: ${message}`, { hint: "most editors have it under “Save as”", cause });
  }
}

function unpacked(path: string, bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_TEXT_BYTES });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
      throw new GpuchainError("FILE_TOO_LARGE", `${path} unpacks to more than ${Math.floor(MAX_TEXT_BYTES / 1e6)} MB`, {
        hint: "give a part of it",
        cause,
      });
    throw new GpuchainError("BAD_DATASET", `${path}: the gzip file is damaged or cut off`, {
      hint: "pack it again, or give the plain file",
      cause,
    });
  }
}

const withoutUndefined = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
