import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileBlobStore } from "@gpuchain/sdk/blobs";
import { createLogger, openJournal } from "@gpuchain/sdk/daemon";
import { type GatewaySession, openSession, type SignatureMessage } from "@gpuchain/sdk/gateway";
import type { Hex } from "@gpuchain/sdk/records";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { verifierMigrations } from "../journal/migrations.ts";
import { createKeeper, type Keeper, type KeeperLimits } from "../keeping/keeper.ts";
import type { KeepingLedger, KeptJob } from "../keeping/keepingLedger.ts";
import { createPulseHub, type PulseHub } from "../pulse/hub.ts";
import { createGateway, type Gateway, type GatewayParameters } from "./gateway.ts";

/** A ledger that tests fill by hand, in the place of the chain's projection. */
export class TestLedger implements KeepingLedger {
  readonly jobs = new Map<bigint, KeptJob>();
  readonly verifiers = new Set<string>();
  readonly fences = new Map<string, { provider: string; state: "live" | "pending" | "over" }>();
  readonly committed = new Set<string>();
  job(id: bigint) {
    return this.jobs.get(id);
  }
  isVerifier(address: string) {
    return this.verifiers.has(address);
  }
  fence(job: bigint, fence: bigint) {
    return this.fences.get(`${job}/${fence}`);
  }
  isCommitted(job: bigint, hash: Hex) {
    return this.committed.has(`${job}/${hash}`);
  }
}

export interface TestGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly ledger: TestLedger;
  readonly keeper: Keeper;
  readonly hub: PulseHub;
  readonly signatures: SignatureMessage[];
  readonly log: string[];
  session(account?: PrivateKeyAccount): Promise<GatewaySession>;
}

export const newAccount = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());

/** A gateway on a free port with a temporary store and a hand-made ledger. */
export async function startTestGateway(
  overrides: Partial<GatewayParameters> & { limits?: Partial<KeeperLimits> } = {},
): Promise<TestGateway> {
  const directory = mkdtempSync(join(tmpdir(), "gpuchain-gateway-"));
  const journal = openJournal(join(directory, "journal.db"), verifierMigrations);
  const ledger = new TestLedger();
  const hub = createPulseHub();
  const keeper = createKeeper({
    blobs: new FileBlobStore(join(directory, "blobs")),
    journal,
    ledger,
    self: "0x00000000000000000000000000000000000000aa",
    ...(overrides.limits ? { limits: overrides.limits } : {}),
  });
  const signatures: SignatureMessage[] = [];
  const lines: string[] = [];
  const gateway = await createGateway({
    host: "127.0.0.1",
    port: 0,
    chainId: 31337,
    keeper,
    ledger,
    hub,
    onSignature: async (message) => void signatures.push(message),
    evidence: () => undefined,
    verdicts: () => [],
    health: () => ({ ok: true }),
    log: createLogger({
      name: "gateway",
      level: "debug",
      json: true,
      destination: { write: (line) => lines.push(line) },
    }),
    ...overrides,
  });
  return {
    gateway,
    ledger,
    keeper,
    hub,
    signatures,
    log: lines,
    session: (account = newAccount()) => openSession({ endpoint: gateway.endpoint, account, chainId: 31337 }),
    [Symbol.asyncDispose]: async () => {
      await gateway.close();
      journal.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
