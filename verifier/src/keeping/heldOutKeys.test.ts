import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deriveEncryptionKeys, sealBytes, sealKey } from "@gpuchain/sdk/crypto";
import { createLogger, type Journal, openJournal } from "@gpuchain/sdk/daemon";
import { GatewayError, type GatewaySession } from "@gpuchain/sdk/gateway";
import { type JobSpec, sha256Hex } from "@gpuchain/sdk/records";
import { bytesToHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { BookJob, JobBook } from "../chain/jobBook.ts";
import { verifierMigrations } from "../journal/migrations.ts";
import type { Peers } from "../votes/peers.ts";
import { createHeldOutKeys } from "./heldOutKeys.ts";

let folder: string;
let journal: Journal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpuchain-keys-"));
  journal = openJournal(join(folder, "journal.db"), verifierMigrations);
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const plain = new TextEncoder().encode("what no provider may see");
const key = new Uint8Array(32).fill(7);
const job = { id: 1n } as BookJob;
const spec = { data: { heldOut: { plain: sha256Hex(plain) } } } as JobSpec;

/** A seat that asks one peer, which answers in turn as told: with an error, or with the key. */
async function ask(answers: (GatewayError | "key")[]): Promise<{ path: string | undefined; asked: number }> {
  const keys = await deriveEncryptionKeys(privateKeyToAccount(generatePrivateKey()));
  const sealedPath = join(folder, "sealed");
  const { sealed } = await sealBytes(plain, key);
  writeFileSync(sealedPath, sealed);
  const sealedKey = bytesToHex(await sealKey(key, keys.publicKey));
  let asked = 0;
  const request = async () => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (answer instanceof GatewayError) throw answer;
    return Response.json({ sealedKey });
  };
  const held = createHeldOutKeys({
    book: { peersOf: () => [{ endpoint: "http://peer" }] } as unknown as JobBook,
    peers: { session: async () => ({ request }) as unknown as GatewaySession } as unknown as Peers,
    ...{ journal, keys, plainDir: join(folder, "plain"), signal: new AbortController().signal },
    log: createLogger({ name: "test", level: "silent" }),
  });
  return { path: await held.open(job, spec, sealedPath), asked };
}

const refusal = (code: "FORBIDDEN" | "NOT_FOUND") => new GatewayError(code, "no", { status: 403 });

it("asks a peer again that is a block behind and does not know of the seat yet", async () => {
  const { path, asked } = await ask([refusal("FORBIDDEN"), refusal("FORBIDDEN"), "key"]);
  expect(asked).toBe(3);
  expect(new Uint8Array(readFileSync(path ?? ""))).toEqual(plain);
});

it("does not ask a peer again that has no key", async () => {
  expect(await ask([refusal("NOT_FOUND")])).toEqual({ path: undefined, asked: 1 });
});
