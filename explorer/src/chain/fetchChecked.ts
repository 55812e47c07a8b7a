/**
 * A blob by its SHA-256, from the first gateway that has it. The bytes are hashed here: no gateway is believed.
 * @throws Error when nobody has it, or what came is something else
 */
export async function fetchChecked(
  gateways: readonly string[],
  sha256: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  let last = "no gateway is configured";
  for (const gateway of gateways) {
    try {
      const response = await fetch(`${gateway}/v1/blobs/${sha256}`, signal ? { signal } : {});
      const declared = Number(response.headers.get("content-length") ?? 0);
      if (!response.ok) last = `${new URL(gateway).host} answered ${response.status}`;
      else if (declared > maxBytes) last = `it is larger than ${maxBytes} bytes`;
      else {
        const bytes = new Uint8Array(await response.arrayBuffer());
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
        const hash = `0x${Array.from(digest, (b) => b.toString(16).padStart(2, "0")).join("")}`;
        if (hash === sha256.toLowerCase()) return bytes;
        last = `${new URL(gateway).host} sent other bytes`;
      }
    } catch (error) {
      if (signal?.aborted) throw error;
      last = error instanceof Error ? error.message : String(error);
    }
  }
  throw new Error(`The bytes of ${sha256.slice(0, 10)}… can’t be had: ${last}.`);
}
