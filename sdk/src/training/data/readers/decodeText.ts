import { TrainingError } from "../../errors.ts";

/** Most bytes of a text, unless the caller names another limit; V8's longest string is a little longer. */
export const MAX_TEXT_BYTES = 500 * 2 ** 20;

/**
 * A file's bytes as text: gunzipped where they are gzip, then read as UTF-8.
 *
 * @param maxBytes most bytes after decompression
 * @throws TrainingError `BAD_DATASET` when the bytes are cut off, too many, or no UTF-8
 */
export async function decodeText(bytes: Uint8Array, maxBytes: number = MAX_TEXT_BYTES): Promise<string> {
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? await gunzip(bytes, maxBytes) : bytes;
  if (plain.length > maxBytes) throw tooLarge(maxBytes);
  return decodeUtf8(plain);
}

/**
 * Bytes as text, without a byte order mark.
 *
 * @throws TrainingError `BAD_DATASET` when they are no UTF-8
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    const line = firstBadLine(bytes);
    throw new TrainingError("BAD_DATASET", `Line ${line} is not UTF-8: save the file as UTF-8.`, { cause });
  }
}

const tooLarge = (maxBytes: number) =>
  new TrainingError("BAD_DATASET", `The file holds more than ${maxBytes} bytes: split it, or raise the limit.`);

async function gunzip(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      chunks.push(read.value);
      size += read.value.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
    }
  } catch (cause) {
    if (cause instanceof TrainingError) {
      await reader.cancel();
      throw cause;
    }
    throw new TrainingError("BAD_DATASET", "The gzip file is damaged or cut off.", { cause });
  }
  const joined = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}

/** The line on which the first malformed sequence lies. */
function firstBadLine(bytes: Uint8Array): number {
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, from);
    const end = newline < 0 ? bytes.length : newline + 1;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(from, end));
    } catch {
      return line;
    }
    from = end;
  }
  return line;
}
