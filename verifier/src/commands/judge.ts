import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileBlobStore } from "@gpuchain/sdk/blobs";
import { contentDigestOf, createEventFeed, outcomes } from "@gpuchain/sdk/chain";
import { startCompute } from "@gpuchain/sdk/compute";
import { deriveEncryptionKeys } from "@gpuchain/sdk/crypto";
import { GpuchainError, type Logger, openJournal } from "@gpuchain/sdk/daemon";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { JobBook } from "../chain/jobBook.ts";
import { keystorePath, type VerifierConfig } from "../config.ts";
import { createBlobAccess } from "../gates/blobAccess.ts";
import { createComputeRoom } from "../gates/computeRoom.ts";
import { createJudgeRoom } from "../gates/judgeRoom.ts";
import { verifierMigrations } from "../journal/migrations.ts";
import { createHeldOutKeys } from "../keeping/heldOutKeys.ts";
import { createKeeper } from "../keeping/keeper.ts";
import { createPulseHub } from "../pulse/hub.ts";
import { createPeers } from "../votes/peers.ts";
import { connect, openAccount } from "./connect.ts";

/**
 * Judges one checkpoint from public bytes, as a seat would, and shows the result beside the votes on chain. Signs and sends nothing.
 * Without a registered verifier's key the held-out data stays closed, and quality is not measured.
 */
export async function judge(
  config: VerifierConfig,
  checkpointId: string,
  { signal, log, print }: { signal: AbortSignal; log: Logger; print: (line: string) => void },
): Promise<void> {
  if (!/^\d{1,78}$/.test(checkpointId))
    throw new GpuchainError("USAGE", `"${checkpointId}" is no checkpoint id`, {
      hint: "give the number that the chain and the explorer show",
    });
  const id = BigInt(checkpointId);
  const { client, deployment } = await connect(config, { signal, log });
  const account = existsSync(keystorePath(config))
    ? await openAccount(config, { create: false, signal, log })
    : privateKeyToAccount(generatePrivateKey());
  const directory = mkdtempSync(join(tmpdir(), "gpuchain-judge-"));
  const journal = openJournal(join(directory, "journal.db"), verifierMigrations);
  const book = new JobBook(account.address);
  const stop = new AbortController();
  const running = AbortSignal.any([signal, stop.signal]);
  const compute = createComputeRoom({
    startCompute,
    runtime: config.runtime,
    threads: config.threads,
    timeoutMs: config.callTimeout * 1_000,
    signal: running,
    log,
  });
  try {
    for await (const item of createEventFeed({ client, fromBlock: deployment.startBlock, signal: running })) {
      if (item.type === "reorg") book.rewind(item.reorgTo);
      else {
        book.apply(item);
        if (item.blockNumber >= item.head) break;
      }
    }
    const checkpoint = book.checkpoint(id);
    if (checkpoint === undefined)
      throw new GpuchainError("UNKNOWN_CHECKPOINT", `there is no checkpoint ${id} on this chain`);
    const keeper = createKeeper({
      blobs: new FileBlobStore(join(directory, "blobs")),
      journal,
      ledger: book,
      self: book.self,
    });
    const peers = createPeers({ book, account, chainId: deployment.chainId, signal: running, log });
    const room = createJudgeRoom({
      book,
      journal,
      keeper,
      blobs: createBlobAccess({ keeper, book, peers, cacheDir: join(directory, "cache"), log }),
      hub: createPulseHub(),
      compute,
      openSealed: createHeldOutKeys({
        book,
        journal,
        keys: await deriveEncryptionKeys(account),
        peers,
        plainDir: join(directory, "heldout"),
        signal: running,
        log,
      }).open,
      votes: () => {
        throw new Error("this command signs nothing");
      },
      signal: running,
      log,
    });
    const judgement = await room.judge(checkpoint, running);
    print(
      `checkpoint ${id}: job ${checkpoint.job}, step ${checkpoint.step}, by ${checkpoint.provider}, ${checkpoint.status} on chain`,
    );
    print(`content    ${contentDigestOf(checkpoint.stateHash, checkpoint.traceRoot)}`);
    for (const gate of judgement.gates) print(`${gate.ok ? "pass" : "FAIL"}  ${gate.gate.padEnd(9)}  ${gate.reason}`);
    const measured = judgement.gates.some(({ gate }) => gate === "quality");
    if (!measured) print("----  quality    Not measured: the held-out data is open to the job's seats only.");
    const score = measured ? `${judgement.metTarget ? ", target met" : ""}, score ${judgement.score / 1e6}` : "";
    print(`judgement  ${judgement.outcome}${score}`);
    for (const [verifier, vote] of checkpoint.votes)
      print(`on chain   ${verifier} voted ${outcomes[vote.outcome]}${vote.metTarget ? ", target met" : ""}`);
    const differs = [...checkpoint.votes.values()].some(({ outcome }) => outcomes[outcome] !== judgement.outcome);
    if (differs) process.exitCode = 1;
  } finally {
    stop.abort();
    await compute.close();
    client.close();
    journal.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
