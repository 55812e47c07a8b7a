// A real indexer over real contracts on a real chain, with both databases: what it shows, how it follows, what it survives.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import type { PublicClient } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLoadNetwork, type LoadNetwork } from "../../script/bench/load/loadNetwork.ts";
import { type Life, runJobs } from "../../script/bench/load/runLoad.ts";
import { registryAbi } from "../ledger/abi.ts";
import { Auditor } from "../ledger/auditor.ts";
import { readEvents as readLedgerEvents } from "../ledger/readEvents.ts";
import { type Anvil, startAnvil } from "./helpers/anvil.ts";
import { readEvents } from "./helpers/events.ts";
import { createHome, type Indexer, startIndexer } from "./helpers/indexer.ts";
import { postgresBinaries, startPostgres } from "./helpers/postgres.ts";
import { createCleanup, start } from "./helpers/processes.ts";

interface JobPage {
  status: string;
  timeline: { items: { name: string }[] };
  checkpoints: { items: { status: string; whyUnpaid: { reason: string } | null }[] };
  slashings: { items: { kind: string; amount: string }[] };
}
interface JournalPage {
  items: { seq: number }[];
  pageInfo: { hasNextPage: boolean; endCursor: string };
}
interface ReservesAnswer {
  block: number;
  contract: { held: string; owed: string };
  rebuilt: { owed: string };
  summed: { jobs: string; accounts: string };
}

const LIVES: Life[] = ["plain", "evicted", "refused", "cancelled", "disputed"];

const databases: string[] = ["pglite"];
if (postgresBinaries()) databases.push("postgres");
else console.warn("SKIPPED: no PostgreSQL binaries for this platform; the indexer is tested on PGlite only");

describe.each(databases)("indexer on %s", (kind) => {
  const cleanup = createCleanup();
  let anvil: Anvil;
  let network: LoadNetwork;
  let home: string;
  let databaseUrl: string | undefined;
  let indexer: Indexer;

  const more = (): Record<string, string> => (databaseUrl ? { DATABASE_URL: databaseUrl } : {});

  /** What the logs say, rebuilt here. */
  async function rebuilt(): Promise<Auditor> {
    const auditor = new Auditor();
    const { contracts, startBlock } = network.deployment;
    const client = anvil.client as PublicClient;
    const toBlock = Number(await client.getBlockNumber({ cacheTime: 0 }));
    for await (const events of readLedgerEvents({ client, contracts, fromBlock: Number(startBlock), toBlock })) {
      for (const event of events) await auditor.apply(event);
    }
    return auditor;
  }

  const totals = async () => {
    const { total } = await indexer.query<{ total: { events: number; digest: string } | null }>(
      "{ total(id: 1) { events digest } }",
    );
    return total ?? { events: 0, digest: "" };
  };

  /** Waits until the indexer holds exactly the chain's history. */
  async function caughtUp(): Promise<Auditor> {
    const auditor = await rebuilt();
    const digest = auditor.store.get("total", "1")?.digest;
    await indexer.until("the chain's digest", async () => (await totals()).digest === digest);
    return auditor;
  }

  /** A real event in the next block: a provider pauses or resumes. */
  async function pause(index: number, accepting: boolean): Promise<void> {
    const from = network.providers[index % network.providers.length]?.address ?? "0x";
    const to = network.deployment.contracts.registry;
    network.queue([{ from, to, abi: registryAbi as never, functionName: "setAccepting", args: [accepting] }]);
    await network.block();
  }

  beforeAll(async () => {
    if (kind === "postgres") {
      const postgres = await startPostgres();
      cleanup.add(() => postgres.stop());
      databaseUrl = postgres.url;
    }
    anvil = await startAnvil();
    cleanup.add(() => anvil.stop());
    network = await createLoadNetwork(anvil.url);
    await runJobs(network, LIVES, 1n);
    // All of it sinks below Ponder's finality and comes by backfill; what the tests do comes by live indexing.
    await anvil.test.mine({ blocks: 40 });
    const folder = await createHome(network.deployment);
    cleanup.add(() => folder.remove());
    home = folder.path;
    indexer = await startIndexer(home, anvil.url, more());
    cleanup.add(() => indexer.process.stop());
    await pause(0, false);
  }, 240_000);
  afterAll(() => cleanup.run());

  test("holds exactly what the logs say", async () => {
    const { store } = await caughtUp();
    const { totals: page } = await indexer.query<{ totals: { items: Record<string, string | number>[] } }>(
      "{ totals { items { events locked claimable bonds reserved jobs settledJobs stepsAccepted providerPay } } }",
    );
    const total = store.get("total", "1");
    expect(page.items[0]).toEqual(
      JSON.parse(
        JSON.stringify(
          Object.fromEntries(Object.keys(page.items[0] ?? {}).map((key) => [key, total?.[key as "events"]])),
          (_key, value) => (typeof value === "bigint" ? value.toString() : value),
        ),
      ),
    );
  });

  test("a job's page is one query: timeline, curve, votes, who earned what, why something is unpaid", async () => {
    const { job } = await indexer.query<{ job: JobPage }>(`{ job(id: "3") {
      status refusals handOvers clientAccount { refunded } template { name }
      timeline(orderBy: "seq", limit: 100) { items { seq name timestamp args } }
      leases(orderBy: "fence") { items { fence cause pricePerStep fromStep stepsAccepted stepsRefused paid holder { name } } }
      checkpoints(orderBy: "id", limit: 50) { items { id step status score whyUnpaid { reason text until }
        votes { items { outcome agreed score evidenceHash } } payouts { items { kind party amount } } } }
      payouts { items { kind amount toProvider { name } } } seats { items { seat verifier } } slashings { items { kind amount } }
    } }`);
    expect(job).toMatchObject({ status: "Settled", refusals: 1, template: { name: "text-classification" } });
    expect(job.timeline.items.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["JobPosted", "CheckpointRefused", "JobSettled"]),
    );
    expect(job.checkpoints.items.filter(({ whyUnpaid }) => whyUnpaid !== null)).toEqual([
      expect.objectContaining({ status: "Final", whyUnpaid: expect.objectContaining({ reason: "refused" }) }),
    ]);
    expect(job.slashings.items).toEqual([
      { kind: "Round", amount: "1000" },
      { kind: "Round", amount: "1000" },
    ]);
  });

  test("open work, records and everything an address touched are one query each", async () => {
    const [provider] = network.providers;
    const address = provider?.address.toLowerCase();
    const answer = await indexer.query<Record<string, { items?: unknown[] } & Record<string, unknown>>>(
      `query ($address: String!, $now: Int!) {
        jobs(where: { status: Open, draining: false, maxPricePerStep_gte: "1000", leaseExpiresAt_lte: $now, deadline_gt: $now }) { items { id } }
        provider(address: $address) { stepsAccepted stepsRefused takeOvers leaseSeconds days { items { day earned } } }
        verifiers { items { voteCount disagreements latencySum faults } }
        mentions(where: { address: $address }, orderBy: "seq") { items { role event { name } } }
        days { items { day jobsPosted providerPay } }
      }`,
      { address, now: Math.floor(Date.now() / 1000) },
    );
    expect(answer.provider?.stepsAccepted).toBeGreaterThan(0);
    expect(answer.mentions?.items?.length).toBeGreaterThan(5);
    expect(answer.verifiers?.items).toHaveLength(3);
    expect(answer.jobs?.items).toEqual([]);
  });

  test("pages by cursor reach every row once", async () => {
    const seen: number[] = [];
    for (let after: string | null = null; ; ) {
      const { journals }: { journals: JournalPage } = await indexer.query(
        "query ($after: String) { journals(limit: 60, after: $after) { items { seq } pageInfo { hasNextPage endCursor } } }",
        {
          after,
        },
      );
      seen.push(...journals.items.map(({ seq }) => seq));
      if (!journals.pageInfo.hasNextPage) break;
      after = journals.pageInfo.endCursor;
    }
    expect(seen).toEqual(Array.from({ length: (await totals()).events }, (_, index) => index + 1));
  });

  test("reserves: the contract's word and the rebuilt sum are of one block and differ by nothing", async () => {
    const reserves = await indexer.get<ReservesAnswer>("/reserves");
    expect(reserves).toMatchObject({ difference: "0", surplus: "0" });
    const { rebuilt: sums, summed, contract } = reserves;
    expect(sums.owed).toBe(contract.owed);
    expect(BigInt(summed.jobs) + BigInt(summed.accounts)).toBe(BigInt(contract.owed));
    const client = anvil.client as PublicClient;
    expect(reserves.block).toBe(Number(await client.getBlockNumber({ cacheTime: 0 })));
  });

  test("says where it stands", async () => {
    const status = await indexer.get<Record<string, unknown>>("/api/status");
    expect(status).toMatchObject({ state: "live", behind: false, lag: { blocks: 0, seconds: 0 }, chainId: 31337 });
    expect(status.schema).toBe(indexer.schema);
    expect(await indexer.query("{ status { state lag { blocks } finalized { block } } }")).toMatchObject({
      status: { state: "live", lag: { blocks: 0 } },
    });
  });

  test("limits: depth, cost, aliases, size; only indexed columns; introspection and CORS stay open", async () => {
    const refused = async (query: string) => (await indexer.raw(query)).errors?.[0]?.message ?? "";
    const deep = `${"parent { ".repeat(20)} id ${"} ".repeat(20)}`;
    expect(await refused(`{ checkpoint(id: "1") { ${deep} } }`)).toMatch(/levels deep/);
    const wide = "{ jobs(limit: 1000) { items { checkpoints(limit: 1000) { items { id } } } } }";
    expect(await refused(wide)).toMatch(/rows/);
    const many = Array.from({ length: 40 }, (_, i) => `a${i}: totals { items { id } }`).join(" ");
    expect(await refused(`{ ${many} }`)).toMatch(/aliases/);
    expect(await refused('{ jobs(orderBy: "headStep") { items { id } } }')).toMatch(/no index/);
    expect(await refused("{ jobs(where: { headStep: 5 }) { items { id } } }")).toMatch(/headStep/);
    const large = await fetch(`${indexer.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://example.org" },
      body: JSON.stringify({ query: `{ status { state } } #${"x".repeat(70_000)}` }),
    });
    expect(large.status).toBe(413);
    expect(large.headers.get("access-control-allow-origin")).toBe("*");
    const { __schema } = await indexer.query<{ __schema: { types: unknown[] } }>("{ __schema { types { name } } }");
    expect(__schema.types.length).toBeGreaterThan(50);
  });

  test("live: new events come in order, and a listener that comes back misses none", async () => {
    const first = await readEvents(`${indexer.url}/live`);
    await pause(1, false);
    const event = await first.next("journal");
    expect(event.data).toMatchObject({ name: "AcceptingSet", contract: "Registry" });
    await first.close();
    await pause(2, false);
    await pause(3, false);
    const second = await readEvents(`${indexer.url}/live`, event.id);
    const ids = [await second.next("journal"), await second.next("journal")].map(({ id }) => Number(id));
    expect(ids).toEqual([Number(event.id) + 1, Number(event.id) + 2]);
    await second.close();
    const filtered = await readEvents(`${indexer.url}/live?job=3&after=0`);
    expect((await filtered.next("journal")).data).toMatchObject({ name: "BudgetLocked", jobId: "3" });
    await filtered.close();
  });

  test("a GraphQL subscription tells the same", async () => {
    const response = await fetch(`${indexer.url}/graphql`, {
      method: "POST",
      headers: { accept: "text/event-stream", "content-type": "application/json" },
      body: JSON.stringify({ query: 'subscription { journal(jobId: "3", after: 0) { seq name } }' }),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("JobPosted")) {
      const piece = await reader?.read();
      if (!piece || piece.done) throw new Error(`the subscription ended:\n${text}`);
      text += piece.value;
    }
    await reader?.cancel();
    expect(text.indexOf("BudgetLocked")).toBeLessThan(text.indexOf("JobPosted"));
    expect(text).toContain("BudgetLocked");
  });

  test("a reorg takes back what it took back, and listeners are told from where", async () => {
    const before = await totals();
    const listener = await readEvents(`${indexer.url}/live`);
    await pause(4, false);
    await listener.next("journal");
    await pause(5, false);
    await listener.next("journal");
    // The last two blocks are replaced by empty ones.
    await anvil.client.request({ method: "anvil_reorg", params: [2, []] } as never);
    await anvil.test.mine({ blocks: 1 });
    const reorg = await listener.next("reorg");
    expect(reorg.data).toEqual({ after: before.events });
    await listener.close();
    const { store } = await caughtUp();
    expect(await totals()).toMatchObject({ events: store.get("total", "1")?.events });
    const { provider } = await indexer.query<{ provider: { accepting: boolean } }>(
      "query ($address: String!) { provider(address: $address) { accepting } }",
      { address: network.providers[5]?.address.toLowerCase() },
    );
    expect(provider.accepting).toBe(true);
  });

  test("killed in the middle and started again, it goes on without a gap or a double", async () => {
    indexer.process.child.kill("SIGKILL");
    await indexer.process.exited;
    await network.resync();
    await pause(0, true);
    await runJobs(network, ["plain"], 6n);
    indexer = await startIndexer(home, anvil.url, more());
    cleanup.add(() => indexer.process.stop());
    await pause(2, true);
    const { store } = await caughtUp();
    expect((await totals()).events).toBe(store.get("total", "1")?.events);
    const { job } = await indexer.query<{ job: { status: string } }>('{ job(id: "6") { status } }');
    expect(job.status).toBe("Settled");
  }, 300_000);

  test("the self-audit holds, and a tampered row of the database is found and named", async () => {
    await anvil.test.mine({ blocks: 6 });
    const audit = async () => {
      const { audit: result } = await indexer.query<{
        audit: { state: string; sweeps: number; findings: { violations: string[] }[] };
      }>("{ audit { state difference sweeps findings { id violations } } }");
      return result;
    };
    await indexer.until("a first audit", async () => {
      await anvil.test.mine({ blocks: 1 });
      return !["starting", "unable"].includes((await audit()).state);
    });
    const honest = await audit();
    expect(honest.findings.flatMap(({ violations }) => violations)).toEqual([]);
    expect(honest).toMatchObject({ state: "ok", difference: "0" });

    // Past Ponder's own triggers, as somebody would who means it.
    const quietly = "SET session_replication_role = replica";
    // Rows below Ponder's finality: newer ones it would take back and write anew at a restart.
    const tamper = `UPDATE "${indexer.schema}".job SET refund = refund + 1 WHERE id = 1`;
    const score = `UPDATE "${indexer.schema}".vote SET score = 1 WHERE job_id = 1`;
    if (databaseUrl) {
      const script = fileURLToPath(new URL("helpers/runSql.mjs", import.meta.url));
      const statements = JSON.stringify([[quietly], [tamper], [score]]);
      const running = start(process.execPath, [script, databaseUrl, statements]);
      await running.exited;
      expect(running.output()).toBe("");
    } else {
      await indexer.process.stop();
      const folder = readdirSync(join(home, "pglite")).find((name) => !name.endsWith(".pid")) ?? "";
      const database = await PGlite.create(join(home, "pglite", folder));
      await database.query(quietly);
      await database.query(tamper);
      await database.query(score);
      await database.close();
      indexer = await startIndexer(home, anvil.url, more());
      cleanup.add(() => indexer.process.stop());
    }
    // Accounts, jobs and sums are compared at once, all else as the sweep comes by: the first failing audit need not name both.
    const { sweeps } = await audit();
    await indexer.until("two sweeps over all rows", async () => {
      await anvil.test.mine({ blocks: 1 });
      return (await audit()).sweeps >= sweeps + 2;
    });
    const tampered = await audit();
    expect(tampered.state).toBe("failing");
    const found = tampered.findings.flatMap(({ violations }) => violations).join("\n");
    expect(found).toMatch(/job 1: refund/);
    expect(found).toMatch(/vote .*: score/);
    const metrics = await (await fetch(`${indexer.url}/metrics`)).text();
    expect(metrics).toMatch(/gpuchain_ledger_audit_ok 0/);
    expect(indexer.process.output()).toMatch(/AUDIT FAILS/);
  }, 300_000);
});
