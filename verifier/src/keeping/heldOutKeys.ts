import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type EncryptionKeys, openBytes, openKey, sealKey } from "@gpuchain/sdk/crypto";
import { type Journal, type Logger, retry } from "@gpuchain/sdk/daemon";
import { GatewayError, getHeldOutKey } from "@gpuchain/sdk/gateway";
import type { Hex, JobSpec } from "@gpuchain/sdk/records";
import { bytesToHex, hexToBytes, zeroHash } from "viem";
import type { BookJob, JobBook } from "../chain/jobBook.ts";
import type { Peers } from "../votes/peers.ts";

export interface HeldOutKeysParameters {
  readonly book: JobBook;
  readonly journal: Journal;
  readonly keys: EncryptionKeys;
  readonly peers: Peers;
  /** folder for opened data, readable by this user alone */
  readonly plainDir: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export interface HeldOutKeys {
  /** Takes a key from the job's client. @throws GatewayError `FORBIDDEN`, `UNKNOWN_JOB`, `BAD_REQUEST` */
  put(jobId: bigint, from: string, sealedKey: Hex): Promise<void>;
  /** Seals the key for another seat of the job. @throws GatewayError `FORBIDDEN`, `NOT_FOUND` */
  sealedFor(jobId: bigint, address: string): Promise<Hex>;
  /** Path of the opened held-out data, or undefined while the key is not to be had or does not open it. */
  open(job: BookJob, spec: JobSpec, sealedPath: string): Promise<string | undefined>;
}

/** Keys of sealed held-out data: from the client, or from a seat that has them; for seats of the job, and for nobody else. */
export function createHeldOutKeys(parameters: HeldOutKeysParameters): HeldOutKeys {
  const { book, journal, keys, peers, plainDir, signal, log } = parameters;

  const known = (jobId: bigint): Uint8Array | undefined => {
    const row = journal.get<{ key: string }>("SELECT key FROM held_out_key WHERE job = ?", String(jobId));
    return row && hexToBytes(row.key as Hex);
  };
  const keep = (jobId: bigint, key: Uint8Array): void => {
    journal.run(
      "INSERT INTO held_out_key (job, key) VALUES (?, ?) ON CONFLICT (job) DO UPDATE SET key = excluded.key",
      String(jobId),
      bytesToHex(key),
    );
  };
  const opens = async (spec: JobSpec, sealed: Uint8Array, key: Uint8Array): Promise<Uint8Array | undefined> => {
    const plain = await openBytes(sealed, key).catch(() => undefined);
    return plain !== undefined && `0x${createHash("sha256").update(plain).digest("hex")}` === spec.data.heldOut.plain
      ? plain
      : undefined;
  };

  /** A peer may be a block behind and not know of our seat yet: it is asked again until it must have heard. */
  const askPeer = (job: BookJob, endpoint: string): Promise<Uint8Array> =>
    retry(async () => getHeldOutKey(await peers.session(endpoint), { jobId: job.id, keys, signal }), {
      ...{ signal, attempts: 5, baseMs: 250, maxMs: 2_000 },
      isRetryable: (error) => error instanceof GatewayError && ["FORBIDDEN", "UNKNOWN_JOB"].includes(error.code),
    });

  /** The first key that opens the data: our own, else a peer's. */
  const find = async (job: BookJob, spec: JobSpec, sealed: Uint8Array): Promise<Uint8Array | undefined> => {
    const mine = known(job.id);
    const plain = mine && (await opens(spec, sealed, mine));
    if (plain !== undefined) return plain;
    for (const { endpoint } of book.peersOf(job)) {
      try {
        const key = await askPeer(job, endpoint);
        const opened = await opens(spec, sealed, key);
        if (opened === undefined) continue;
        keep(job.id, key);
        log.info({ job: String(job.id), from: endpoint }, "key of the held-out data received from another seat");
        return opened;
      } catch (error) {
        signal.throwIfAborted();
        log.debug({ err: error, job: String(job.id), endpoint }, "no key from this peer");
      }
    }
    return undefined;
  };

  return {
    async put(jobId, from, sealedKey) {
      const job = book.jobs.get(jobId);
      if (job === undefined)
        throw new GatewayError("UNKNOWN_JOB", `This verifier knows of no job ${jobId}.`, {
          status: 404,
          hint: "If it was posted seconds ago, try again.",
        });
      if (job.client !== from)
        throw new GatewayError("FORBIDDEN", `Job ${jobId} belongs to ${job.client}.`, { status: 403 });
      try {
        keep(jobId, await openKey(hexToBytes(sealedKey), keys));
      } catch (cause) {
        throw new GatewayError("BAD_REQUEST", "The key was not sealed to this verifier.", {
          status: 422,
          hint: `Seal it to ${keys.publicKey}, the encryption key in the registry.`,
          cause,
        });
      }
    },
    async sealedFor(jobId, address) {
      const job = book.jobs.get(jobId);
      const reader = book.verifiers.get(address);
      if (job === undefined || reader === undefined || book.seatOf(job, address) === undefined)
        throw new GatewayError("FORBIDDEN", `${address} holds no seat on job ${jobId}.`, { status: 403 });
      const key = known(jobId);
      if (key === undefined)
        throw new GatewayError("NOT_FOUND", `The key of job ${jobId} is not here.`, { status: 404 });
      if (reader.encryptionKey === zeroHash)
        throw new GatewayError("BAD_REQUEST", `${address} has registered no encryption key.`, { status: 409 });
      return bytesToHex(await sealKey(key, reader.encryptionKey));
    },
    async open(job, spec, sealedPath) {
      const path = join(plainDir, spec.data.heldOut.plain.slice(2));
      const plain = await find(job, spec, await readFile(sealedPath));
      if (plain === undefined) {
        log.warn(
          { job: String(job.id) },
          "no key opens the sealed held-out data; quality is not measured until one comes",
        );
        return undefined;
      }
      await mkdir(plainDir, { recursive: true, mode: 0o700 });
      await writeFile(`${path}.tmp`, plain, { mode: 0o600 });
      await chmod(`${path}.tmp`, 0o600);
      await rename(`${path}.tmp`, path);
      return path;
    },
  };
}
