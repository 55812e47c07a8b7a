import { TrainingError } from "../errors.ts";
import { decodeSafetensors, encodeSafetensorsHeader } from "../state/safetensors.ts";

/** One column of a data set: `width` values an example. */
export type ColumnData =
  | { readonly dtype: "float32"; readonly width: number; readonly data: Float32Array }
  | { readonly dtype: "int32"; readonly width: number; readonly data: Int32Array };

/**
 * What the columns hold:
 * - `labelled-tokens`: `ids` [sequence] padded with 0, `mask` [sequence] (1 for real tokens), `labels` [1]
 * - `tokens`: `tokens` [sequence + 1], windows of a text
 * - `table`: `features` [inputs], `labels` [1]
 */
export type DataFormat = "labelled-tokens" | "tokens" | "table";

/** A tokenised data set: everything a step reads, in the graph's own types. */
export interface Dataset {
  readonly format: DataFormat;
  readonly examples: number;
  readonly columns: Readonly<Record<string, ColumnData>>;
}

const FORMAT = "gpuchain-dataset/1";

/** Columns as stored: masks are stored as the number of real tokens. */
const STORED: Readonly<Record<DataFormat, readonly string[]>> = {
  "labelled-tokens": ["ids", "length", "labels"],
  tokens: ["tokens"],
  table: ["features", "labels"],
};

/** Own properties only: a file may call itself "constructor". */
const isFormat = (kind: string | undefined): kind is DataFormat => kind !== undefined && Object.hasOwn(STORED, kind);

const intColumn = (data: Int32Array, width = 1): ColumnData => ({ dtype: "int32", width, data });

/** Examples of `labelled-tokens` from token lists: cut at `sequence`, padded with 0. */
export function labelledTokens(
  examples: readonly { readonly ids: readonly number[]; readonly label: number }[],
  sequence: number,
): Dataset {
  const ids = new Int32Array(examples.length * sequence);
  const lengths = new Int32Array(examples.length);
  examples.forEach((example, i) => {
    const kept = example.ids.slice(0, sequence);
    ids.set(kept, i * sequence);
    lengths[i] = kept.length;
  });
  const labels = Int32Array.from(examples, ({ label }) => label);
  return withMask({ ids: intColumn(ids, sequence), length: intColumn(lengths), labels: intColumn(labels) });
}

function withMask(stored: Readonly<Record<"ids" | "length" | "labels", ColumnData>>): Dataset {
  const { width } = stored.ids;
  const lengths = stored.length.data;
  const mask = new Float32Array(lengths.length * width);
  for (let i = 0; i < lengths.length; i++) {
    const length = lengths[i] as number;
    if (length < 1 || length > width)
      throw new TrainingError("BAD_DATASET", `Example ${i} has ${length} tokens; 1 to ${width} are allowed.`);
    mask.fill(1, i * width, i * width + length);
  }
  return {
    format: "labelled-tokens",
    examples: lengths.length,
    columns: { ids: stored.ids, mask: { dtype: "float32", width, data: mask }, labels: stored.labels },
  };
}

/** A data set as canonical bytes (safetensors): equal data, equal blob, equal hash. */
export function encodeDataset({ format, examples, columns }: Dataset): Uint8Array {
  const stored = STORED[format].map((name) => {
    const column = name === "length" ? lengthsOf(columns.mask) : columns[name];
    if (column === undefined)
      throw new TrainingError("BAD_DATASET", `A ${format} data set needs the column "${name}".`);
    const dtype = column.dtype === "float32" ? ("F32" as const) : ("I32" as const);
    return { name, dtype, shape: column.width === 1 ? [examples] : [examples, column.width], data: column.data };
  });
  const header = encodeSafetensorsHeader(stored, { format: FORMAT, kind: format });
  const file = new Uint8Array(stored.reduce((sum, { data }) => sum + data.byteLength, header.length));
  file.set(header);
  let offset = header.length;
  for (const { data } of stored) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset);
    offset += data.byteLength;
  }
  return file;
}

function lengthsOf(mask: ColumnData | undefined): ColumnData | undefined {
  if (mask === undefined) return undefined;
  const { width, data } = mask;
  const lengths = Int32Array.from({ length: data.length / width }, (_, i) => {
    const end = data.subarray(i * width, (i + 1) * width).indexOf(0);
    return end < 0 ? width : end;
  });
  return intColumn(lengths);
}

/**
 * Reads a data set's bytes.
 *
 * @throws TrainingError `BAD_SAFETENSORS` or `BAD_DATASET`
 */
export function decodeDataset(file: Uint8Array): Dataset {
  const { metadata, tensors, data } = decodeSafetensors(file);
  const { kind: format } = metadata;
  if (metadata.format !== FORMAT || !isFormat(format))
    throw new TrainingError("BAD_DATASET", "The file's metadata is not that of a data set.");
  const columns: Record<string, ColumnData> = {};
  const counts = new Set<number>();
  for (const name of STORED[format]) {
    const info = tensors.get(name);
    const [examples, width = 1] = info?.shape ?? [];
    if (info === undefined || examples === undefined || info.shape.length > 2)
      throw new TrainingError("BAD_DATASET", `The data set lacks a column "${name}" of one or two axes.`);
    const expected = name === "features" ? "F32" : "I32";
    if (info.dtype !== expected)
      throw new TrainingError("BAD_DATASET", `Column "${name}" is ${info.dtype}; it must be ${expected}.`);
    counts.add(examples);
    // A copy of its own: the file's memory need not be aligned.
    const { buffer } = data.slice(info.offset, info.offset + info.bytes);
    columns[name] =
      expected === "F32"
        ? { dtype: "float32", width, data: new Float32Array(buffer) }
        : { dtype: "int32", width, data: new Int32Array(buffer) };
  }
  const [examples] = counts;
  if (counts.size !== 1 || examples === undefined || examples < 1)
    throw new TrainingError(
      "BAD_DATASET",
      "The columns of a data set must hold the same number of examples, at least one.",
    );
  if (format === "labelled-tokens") return withMask(columns as Record<"ids" | "length" | "labels", ColumnData>);
  return { format, examples, columns };
}
