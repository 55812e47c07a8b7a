import { canonicalJson } from "../../records/index.ts";
import { TrainingError } from "../errors.ts";

/** Types of the safetensors format that we write. */
export type SafeDType = "F32" | "I32" | "U8";
const BYTES: Readonly<Record<string, number>> = { F64: 8, I64: 8, F32: 4, I32: 4, F16: 2, BF16: 2, U8: 1, BOOL: 1 };

export interface SafeTensorInfo {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** bytes from the start of the data section */
  readonly offset: number;
  readonly bytes: number;
}

export interface SafeTensors {
  readonly metadata: Readonly<Record<string, string>>;
  readonly tensors: ReadonlyMap<string, SafeTensorInfo>;
  /** the data section; a view of the file */
  readonly data: Uint8Array;
}

const MAX_HEADER_BYTES = 16 << 20;

/**
 * Header of a safetensors file whose tensors lie one after another in the given order: its length, then canonical JSON (sorted
 * keys, RFC 8785), padded with spaces to a multiple of eight so that the data section is aligned. One content, one header.
 */
export function encodeSafetensorsHeader(
  tensors: readonly { readonly name: string; readonly dtype: SafeDType; readonly shape: readonly number[] }[],
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: metadata };
  let offset = 0;
  for (const { name, dtype, shape } of tensors) {
    const end = offset + shape.reduce((product, size) => product * size, BYTES[dtype] as number);
    header[name] = { dtype, shape, data_offsets: [offset, end] };
    offset = end;
  }
  const json = new TextEncoder().encode(canonicalJson(header));
  const padded = Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(8 + padded).fill(0x20);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(padded), true);
  bytes.set(json, 8);
  return bytes;
}

const bad = (message: string, cause?: unknown) =>
  new TrainingError("BAD_SAFETENSORS", `Not a valid safetensors file: ${message}.`, { cause });

/**
 * Reads any safetensors file's header and checks that its tensors cover the data section without gap or overlap.
 *
 * @throws TrainingError `BAD_SAFETENSORS`
 */
export function decodeSafetensors(file: Uint8Array): SafeTensors {
  if (file.length < 8) throw bad(`${file.length} bytes are too few`);
  const length = new DataView(file.buffer, file.byteOffset, 8).getBigUint64(0, true);
  if (length > BigInt(MAX_HEADER_BYTES) || Number(length) + 8 > file.length) throw bad(`a header of ${length} bytes`);
  const data = file.subarray(8 + Number(length));
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(file.subarray(8, 8 + Number(length))));
  } catch (cause) {
    throw bad("its header is no JSON", cause);
  }
  if (typeof header !== "object" || header === null || Array.isArray(header)) throw bad("its header is no object");
  const { __metadata__: metadata = {}, ...entries } = header as Record<string, unknown>;
  if (!isTextMap(metadata)) throw bad("its metadata is no map of strings");
  const tensors = new Map(Object.entries(entries).map(([name, entry]) => [name, checkEntry(name, entry)]));
  checkCover([...tensors.values()], data.length);
  return { metadata, tensors, data };
}

const isTextMap = (value: unknown): value is Record<string, string> =>
  typeof value === "object" && value !== null && Object.values(value).every((item) => typeof item === "string");

const isSizes = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);

function checkEntry(name: string, entry: unknown): SafeTensorInfo {
  const { dtype, shape, data_offsets: range } = (entry ?? {}) as Record<string, unknown>;
  if (typeof dtype !== "string" || !isSizes(shape) || !isSizes(range) || range.length !== 2)
    throw bad(`the entry "${name}" is malformed`);
  const [offset, end] = range as [number, number];
  const width = Object.hasOwn(BYTES, dtype) ? BYTES[dtype] : undefined;
  if (width === undefined) throw bad(`"${name}" is of the unknown type ${dtype}`);
  const bytes = shape.reduce((product, size) => product * size, width);
  if (end - offset !== bytes) throw bad(`"${name}" takes ${end - offset} bytes, its shape ${bytes}`);
  return { dtype, shape, offset, bytes };
}

function checkCover(tensors: readonly SafeTensorInfo[], length: number): void {
  let end = 0;
  for (const tensor of tensors.toSorted((a, b) => a.offset - b.offset || a.bytes - b.bytes)) {
    if (tensor.offset !== end) throw bad(`byte ${end} of the data is covered by no tensor or by two`);
    end += tensor.bytes;
  }
  if (end !== length) throw bad(`${length - end} bytes follow the last tensor`);
}
