// A provider under a test's control, with everything a node does done by hand: so that it can also do it wrongly.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contractAbis, type Sender } from "@gpuchain/sdk/chain";
import { type Compute, startCompute } from "@gpuchain/sdk/compute";
import { sleep } from "@gpuchain/sdk/daemon";
import {
  createHttpBlobStore,
  createPulseLink,
  GatewayError,
  type GatewaySession,
  openSession,
  type PulseLink,
} from "@gpuchain/sdk/gateway";
import { encodeTrace, type Hex, sha256Hex, type TraceLeaf, traceRoot } from "@gpuchain/sdk/records";
import { zeroHash } from "viem";
import { type TestNetwork, testAccount } from "./network.ts";
import type { TestVerifier } from "./testVerifier.ts";
import { type TinyJob, writeJob } from "./tinyJob.ts";

export interface Segment {
  readonly leaves: TraceLeaf[];
  readonly files: Map<Hex, Uint8Array>;
}

export class TestProvider {
  readonly network: TestNetwork;
  readonly index: number;
  readonly sender: Sender;
  readonly directory = mkdtempSync(join(tmpdir(), "gpuchain-provider-"));
  sessions: GatewaySession[] = [];
  links: PulseLink[] = [];
  fence = 0n;
  jobId = 0n;
  step = 0;
  /** states that an audit may ask for */
  readonly kept = new Map<Hex, Uint8Array>();
  #compute: Compute | undefined;
  #intent = 0;
  #abort = new AbortController();

  constructor(network: TestNetwork, index: number) {
    this.network = network;
    this.index = index;
    this.sender = network.sender(index);
  }

  get address() {
    return testAccount(this.index).address.toLowerCase();
  }

  call(contract: "jobs" | "registry" | "usdc", functionName: string, args: readonly unknown[]) {
    return this.sender.send({
      intent: `${functionName}:${++this.#intent}`,
      address: this.network.deployment.contracts[contract],
      abi: contractAbis[contract],
      functionName,
      args,
    });
  }

  async register(price: bigint): Promise<void> {
    const bond = 5_000_000n;
    const address = testAccount(this.index).address;
    const approve = this.call("usdc", "approve", [this.network.deployment.contracts.escrow, bond]);
    await Promise.all([this.call("usdc", "mint", [address, bond]), approve]);
    const profile = {
      name: `provider ${this.index}`,
      pricePerStep: price,
      deviceHash: zeroHash,
      encryptionKey: zeroHash,
      metadata: "{}",
    };
    await this.call("registry", "registerProvider", [profile, address, bond]);
  }

  async connect(verifiers: readonly TestVerifier[], beatEveryMs = 100): Promise<void> {
    const account = testAccount(this.index);
    for (const { gateway } of verifiers) {
      const session = await openSession({ endpoint: gateway.endpoint, account, chainId: 31337 });
      this.sessions.push(session);
      this.links.push(
        createPulseLink({
          session,
          beatEveryMs,
          status: () =>
            this.fence === 0n
              ? { standby: true }
              : { jobId: this.jobId, fence: this.fence, step: this.step, standby: false },
          onStatesRequest: async () => this.kept,
          signal: this.#abort.signal,
        }),
      );
    }
  }

  async acquire(jobId: bigint): Promise<bigint> {
    this.jobId = jobId;
    const { receipt } = await this.call("jobs", "acquireLease", [jobId, []]);
    const { args } = await this.network.until(
      "LeaseAcquired",
      (event) => event.transactionHash === receipt.transactionHash,
    );
    this.fence = BigInt(args.fence);
    return this.fence;
  }

  /** Trains from a state on, as the job's spec says or (another job given) as a cheat's. */
  async train(job: TinyJob, from: Uint8Array | "genesis", toStep: number): Promise<Segment> {
    const folder = mkdtempSync(join(this.directory, "run-"));
    this.#compute ??= await startCompute({ runtime: "native", threads: 1 });
    const compute = this.#compute;
    const { heldOutPath: _forJudgesOnly, ...given } = writeJob(job, folder);
    await compute.open(given);
    let parentPath = "genesis";
    if (from !== "genesis") {
      parentPath = join(folder, "parent");
      writeFileSync(parentPath, from);
    }
    const leaves: TraceLeaf[] = [];
    const files = new Map<Hex, Uint8Array>();
    const { checkpoint } = job.spec;
    const outDir = join(folder, "out");
    mkdirSync(outDir);
    await compute.train({
      parentPath,
      toStep,
      traceInterval: checkpoint.traceInterval,
      checkpointInterval: checkpoint.interval,
      outDir,
      onStep: ({ step, loss, lr, ms }) => {
        this.step = step;
        const steps = [{ step, loss, lr, ms, at: Date.now() }];
        for (const link of this.links) link.telemetry({ jobId: this.jobId, fence: this.fence, steps });
      },
      onTrace: ({ leaf, statePath }) => {
        leaves.push(leaf);
        files.set(leaf.stateHash, readFileSync(statePath));
      },
    }).done;
    return { leaves, files };
  }

  /** Stores checkpoint and trace at the given seats, then commits. Returns the checkpoint's id. */
  async commit(parentId: bigint, segment: Segment, { release = false, store = this.sessions } = {}): Promise<bigint> {
    const last = segment.leaves.at(-1) as TraceLeaf;
    const trace = encodeTrace(segment.leaves);
    const root = traceRoot(segment.leaves);
    for (const [hash, bytes] of segment.files) this.kept.set(hash, bytes);
    for (const session of store) {
      const blobs = createHttpBlobStore(session, { job: this.jobId, fence: this.fence });
      await onceKnown(() =>
        blobs.put(segment.files.get(last.stateHash) ?? new Uint8Array(), { sha256: last.stateHash }),
      );
      await blobs.put(trace, { sha256: sha256Hex(trace), purpose: "trace", traceRoot: root });
    }
    const { receipt } = await this.call("jobs", "commitCheckpoint", [
      this.jobId,
      Number(this.fence),
      parentId,
      last.step,
      last.stateHash,
      root,
      release,
    ]);
    const { args } = await this.network.until(
      "CheckpointCommitted",
      (event) => event.transactionHash === receipt.transactionHash,
    );
    return args.checkpointId;
  }

  /** As a SIGKILL would: the system closes the sockets, nothing is said. */
  die(): void {
    this.#abort.abort(new Error("killed"));
    this.links = [];
  }

  async stop(): Promise<void> {
    this.die();
    await this.#compute?.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A lease that is milliseconds old may be news to a gateway: as a node does, try until it has seen the block. */
async function onceKnown(put: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      return await put();
    } catch (error) {
      const isNews = error instanceof GatewayError && error.code === "STALE_FENCE" && Date.now() < deadline;
      if (!isNews) throw error;
      await sleep(50);
    }
  }
}
