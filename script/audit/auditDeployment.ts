import { Auditor, compareWithChain, type Finding, readEvents } from "@gpuchain/indexer/ledger";
import type { Deployment } from "@gpuchain/sdk/chain";
import type { PublicClient } from "viem";
import { compareWithIndexer, indexedBlock } from "./compareWithIndexer.ts";

export interface AuditReport {
  ok: boolean;
  chainId: number;
  /** everything below is as of this block */
  block: number;
  blockHash: string;
  events: number;
  /** of all raw logs: an indexer that shows another one at this event has read other logs */
  digest: string;
  held: bigint;
  owed: bigint;
  rebuilt: bigint;
  difference: bigint;
  jobs: number;
  accounts: number;
  findings: Finding[];
  seconds: number;
}

/**
 * Audits one deployment from its logs.
 * @param block a number, `latest` or `finalized`
 * @throws when the RPC fails; a broken invariant is a finding, not an error
 */
export async function auditDeployment({
  client,
  deployment,
  block,
  indexer,
  onProgress,
}: {
  client: PublicClient;
  deployment: Deployment;
  block: string;
  indexer?: string | undefined;
  onProgress?: ((text: string) => void) | undefined;
}): Promise<AuditReport> {
  const started = performance.now();
  const newest = await client.getBlock(
    block === "latest" || block === "finalized" ? { blockTag: block } : { blockNumber: BigInt(block) },
  );
  // An indexer is always a moment behind: as of the newest block, both are held to the one that it shows.
  const shown = indexer && block === "latest" ? BigInt(await indexedBlock(indexer)) : newest.number;
  const at = shown >= 0n && shown < newest.number ? await client.getBlock({ blockNumber: shown }) : newest;
  const { contracts, startBlock } = deployment;
  const number = Number(at.number);
  const auditor = new Auditor();
  const history: Finding = {
    id: "history",
    title: "Every log is known and follows from those before it",
    checked: 0,
    violations: [],
    violated: 0,
  };
  const batches = readEvents({ client, contracts, fromBlock: Number(startBlock), toBlock: number });
  reading: for await (const events of batches) {
    for (const event of events) {
      try {
        await auditor.apply(event);
        history.checked += 1;
      } catch (error) {
        // From here on nothing can be rebuilt; what was found until here still counts.
        history.violated += 1;
        history.violations.push(`block ${event.block.number}, ${event.name}: ${(error as Error).message}`);
        break reading;
      }
    }
    onProgress?.(`block ${events.at(-1)?.block.number ?? number}, ${history.checked} events`);
  }
  onProgress?.("");
  const { store } = auditor;
  const chain = await compareWithChain({ client, escrow: contracts.escrow, store, block: number });
  const findings = [history, ...auditor.findings, ...chain.findings];
  if (indexer) findings.push(...(await compareWithIndexer({ url: indexer, store, block: number })));
  const total = store.get("total", "1");
  return {
    ok: findings.every(({ violated }) => violated === 0),
    chainId: deployment.chainId,
    block: number,
    blockHash: at.hash ?? "",
    events: total?.events ?? 0,
    digest: total?.digest ?? `0x${"0".repeat(64)}`,
    held: chain.held,
    owed: chain.owed,
    rebuilt: chain.rebuilt,
    difference: chain.owed - chain.rebuilt,
    jobs: store.all("job").length,
    accounts: store.all("account").length,
    findings,
    seconds: (performance.now() - started) / 1000,
  };
}
