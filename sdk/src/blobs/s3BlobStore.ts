import { createHash, randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AwsClient } from "aws4fetch";
import { GpuchainError } from "../daemon/errors.ts";
import type { BlobSource, BlobStat, BlobStore, PutBlobParameters } from "./blobStore.ts";
import { blobHashMismatch, blobNotFound, blobTooLarge, fromFileError } from "./errors.ts";
import { normalizeSha256 } from "./sha256.ts";

export interface S3BlobStoreParameters {
  /** the bucket's address in path style, with an optional prefix: `https://host/bucket/prefix` */
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** default `us-east-1`, which servers of one's own take */
  readonly region?: string;
  /** where uploads are hashed before they are sent; default: the system's folder for temporary files */
  readonly spool?: string;
}

/**
 * Blobs as objects of an S3-compatible bucket, each under its hash. An upload is hashed on local disk first and sent only
 * when the bytes are right; the service shows an object once it is whole, never before.
 *
 * Errors besides {@link BlobStore}'s: STORE_UNAVAILABLE (may pass), STORE_REFUSED (keys or bucket are wrong).
 *
 * @example
 * const blobs = new S3BlobStore({ url: "https://s3.example.org/gpuchain", accessKeyId, secretAccessKey });
 */
export class S3BlobStore implements BlobStore {
  readonly #client: AwsClient;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #spool: string;

  constructor({ url, accessKeyId, secretAccessKey, region = "us-east-1", spool = tmpdir() }: S3BlobStoreParameters) {
    const { origin, pathname } = new URL(url);
    const [bucket = "", ...prefix] = pathname.split("/").filter((part) => part !== "");
    if (bucket === "")
      throw new GpuchainError("CONFIG_INVALID", `${url} names no bucket`, { hint: "give https://host/bucket" });
    this.#bucket = `${origin}/${bucket}`;
    this.#prefix = prefix.map((part) => `${part}/`).join("");
    this.#spool = spool;
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 4 });
  }

  async put(source: BlobSource, { sha256, maxBytes, signal }: PutBlobParameters): Promise<BlobStat> {
    const hash = normalizeSha256(sha256);
    const known = await this.stat(hash);
    if (known !== undefined) return known;
    await mkdir(this.#spool, { recursive: true });
    const spooled = join(this.#spool, `gpuchain-${hash.slice(0, 16)}-${randomUUID()}`);
    try {
      const size = await spool(spooled, source, { hash, maxBytes, signal });
      const headers = { "content-type": "application/octet-stream", "x-amz-content-sha256": hash };
      const body = await openAsBlob(spooled);
      await this.#ask(hash, { method: "PUT", body, headers, ...(signal ? { signal } : {}) });
      return { sha256: hash, size };
    } catch (error) {
      throw fromFileError(error, spooled);
    } finally {
      await rm(spooled, { force: true });
    }
  }

  async get(sha256: string, options: { signal?: AbortSignal; maxBytes?: number } = {}): Promise<Uint8Array> {
    const hash = normalizeSha256(sha256);
    const { maxBytes } = options;
    const digest = createHash("sha256");
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of await this.stream(hash, options)) {
      size += piece.byteLength;
      if (maxBytes !== undefined && size > maxBytes) throw blobTooLarge(hash, maxBytes);
      digest.update(piece);
      pieces.push(piece);
    }
    const actual = digest.digest("hex");
    if (actual !== hash) throw blobHashMismatch(hash, actual);
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.byteLength;
    }
    return bytes;
  }

  async stream(sha256: string, { signal }: { signal?: AbortSignal } = {}): Promise<AsyncIterable<Uint8Array>> {
    const hash = normalizeSha256(sha256);
    const answer = await this.#ask(hash, { ...(signal ? { signal } : {}) });
    if (answer.status === 404) throw blobNotFound(hash);
    return readPieces(answer.body);
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.stat(sha256)) !== undefined;
  }

  async stat(sha256: string): Promise<BlobStat | undefined> {
    const hash = normalizeSha256(sha256);
    const answer = await this.#ask(hash, { method: "HEAD" });
    if (answer.status === 404) return undefined;
    return { sha256: hash, size: Number(answer.headers.get("content-length")) };
  }

  async delete(sha256: string): Promise<boolean> {
    const hash = normalizeSha256(sha256);
    if (!(await this.has(hash))) return false;
    await this.#ask(hash, { method: "DELETE" });
    return true;
  }

  async *list(): AsyncIterable<BlobStat> {
    for (let token: string | undefined = ""; token !== undefined; ) {
      const query = new URLSearchParams({ "list-type": "2", prefix: this.#prefix });
      if (token !== "") query.set("continuation-token", token);
      const page = await (await this.#ask("", {}, `?${query}`)).text();
      for (const [, entry = ""] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const sha256 = textOf(entry, "Key")?.slice(this.#prefix.length) ?? "";
        if (/^[0-9a-f]{64}$/.test(sha256)) yield { sha256, size: Number(textOf(entry, "Size")) };
      }
      token = textOf(page, "IsTruncated") === "true" ? textOf(page, "NextContinuationToken") : undefined;
    }
  }

  /** One signed request; an answer that is neither success nor 404 is an error. */
  async #ask(hash: string, init: RequestInit, query = ""): Promise<Response> {
    const url = hash === "" ? `${this.#bucket}${query}` : `${this.#bucket}/${this.#prefix}${hash}`;
    let answer: Response;
    try {
      answer = await this.#client.fetch(url, init);
    } catch (cause) {
      init.signal?.throwIfAborted();
      throw new GpuchainError("STORE_UNAVAILABLE", `the blob store ${this.#bucket} does not answer`, {
        hint: "it is tried again; see whether the address is right and the service runs",
        cause,
        retryable: true,
      });
    }
    if (answer.ok) return answer;
    const text = init.method === "HEAD" ? "" : await answer.text();
    // A missing bucket is 404 too, and no missing blob: with a HEAD the two cannot be told apart, with the rest they can.
    if (answer.status === 404 && textOf(text, "Code") !== "NoSuchBucket") return answer;
    const passing = answer.status >= 500 || answer.status === 429;
    throw new GpuchainError(
      passing ? "STORE_UNAVAILABLE" : "STORE_REFUSED",
      `the blob store ${this.#bucket} says ${answer.status}${text === "" ? "" : `: ${textOf(text, "Code") ?? text.slice(0, 200)}`}`,
      { hint: passing ? "it is tried again" : "check bucket, keys and region", retryable: passing },
    );
  }
}

const textOf = (xml: string, tag: string): string | undefined => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1];

async function* readPieces(body: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Who stops early lets the connection go.
    await reader.cancel().catch(() => undefined);
  }
}

async function spool(
  path: string,
  source: BlobSource,
  expect: { hash: string; maxBytes: number | undefined; signal: AbortSignal | undefined },
): Promise<number> {
  const digest = createHash("sha256");
  const file = await open(path, "wx", 0o600);
  let size = 0;
  try {
    for await (const piece of source instanceof Uint8Array ? [source] : source) {
      expect.signal?.throwIfAborted();
      size += piece.byteLength;
      if (expect.maxBytes !== undefined && size > expect.maxBytes) throw blobTooLarge(expect.hash, expect.maxBytes);
      digest.update(piece);
      await file.writeFile(piece);
    }
  } finally {
    await file.close();
  }
  const actual = digest.digest("hex");
  if (actual !== expect.hash) throw blobHashMismatch(expect.hash, actual);
  return size;
}
