/** Longest silence of a gateway, before it answers and between two pieces of what it sends. */
const SILENCE_MS = 15_000;

/**
 * A blob by its SHA-256, from the first gateway that has it. The bytes are hashed here: no gateway is believed. One that sends without end,
 * or falls silent, is passed over like one that lacks them.
 * @throws Error when nobody has it, or what came is something else
 */
export async function fetchChecked(
  gateways: readonly string[],
  sha256: string,
  maxBytes: number,
  signal?: AbortSignal,
  silenceMs = SILENCE_MS,
): Promise<Uint8Array<ArrayBuffer>> {
  let last = "no gateway is configured";
  for (const gateway of gateways) {
    const { host } = new URL(gateway);
    const silence = watchSilence(silenceMs, signal);
    try {
      const response = await fetch(`${gateway}/v1/blobs/${sha256}`, { signal: silence.signal });
      if (response.ok) {
        const bytes = await readAtMost(response, maxBytes, silence.heard);
        if (bytes === undefined) last = `${host} sends more than ${maxBytes} bytes`;
        else if ((await hashOf(bytes)) === sha256.toLowerCase()) return bytes;
        else last = `${host} sent other bytes`;
      } else last = `${host} answered ${response.status}`;
    } catch (error) {
      if (signal?.aborted) throw error;
      last = silence.signal.aborted ? `${host} fell silent` : error instanceof Error ? error.message : String(error);
    } finally {
      silence.stop();
    }
  }
  throw new Error(`The bytes of ${sha256.slice(0, 10)}… can’t be had: ${last}.`);
}

/** A signal that aborts when nothing was heard for a while. */
function watchSilence(ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const give = () => controller.abort();
  let timer = setTimeout(give, ms);
  outer?.addEventListener("abort", give);
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(give, ms);
    },
    stop() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", give);
      controller.abort();
    },
  };
}

/** A body as it comes, or nothing once it is larger than it may be; its declared length is only a claim. */
async function readAtMost(
  response: Response,
  maxBytes: number,
  heard: () => void,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    heard();
    size += read.value.length;
    if (size > maxBytes) return undefined;
    pieces.push(read.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `0x${Array.from(digest, (b) => b.toString(16).padStart(2, "0")).join("")}`;
}
