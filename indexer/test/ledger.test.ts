// Real indexers over real contracts on one real chain, one on each database: what they show, how they follow, what they survive.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { testUsdcAbi } from "@gpuchain/sdk/abis";
import type { Abi, PublicClient } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLoadNetwork, type LoadNetwork } from "../../script/bench/load/loadNetwork.ts";
import { type Life, runJobs, withdrawAll } from "../../script/bench/load/runLoad.ts";
import { registryAbi } from "../ledger/abi.ts";
import { Auditor } from "../ledger/auditor.ts";
import { compareWithChain } from "../ledger/compareWithChain.ts";
import { readEvents as readLedgerEvents } from "../ledger/readEvents.ts";
import { type Anvil, startAnvil } from "./helpers/anvil.ts";
import { readEvents } from "./helpers/events.ts";
import { createHome, type Indexer, indexerEnv, spawnIndexer, startIndexer } from "./helpers/indexer.ts";
import { postgresBinaries, startPostgres } from "./helpers/postgres.ts";
import { createCleanup, start } from "./helpers/processes.ts";
import { violations } from "./helpers/worldEvents.ts";

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
interface AuditAnswer {
  state: string;
  difference: string | null;
  sweeps: number;
  findings: { violations: string[] }[];
}

const LIVES: Life[] = ["plain", "evicted", "refused", "cancelled", "disputed"];
const AUDIT_SCRIPT = fileURLToPath(new URL("../../script/audit/main.ts", import.meta.url));

/** An indexer with its own database. */
interface Party {
  database: "pglite" | "postgres";
  /** its folder: deployment file and, for PGlite, data */
  home: string;
  databaseUrl: string | undefined;
  indexer: Indexer;
}

describe("the ledger", () => {
  const cleanup = createCleanup();
  const parties: Party[] = [];
  let anvil: Anvil;
  let network: LoadNetwork;
  let client: PublicClient;
  /** the logs' own story, after the first lives */
  let first: Auditor;

  const each = async (check: (indexer: Indexer, party: Party) => Promise<void>): Promise<void> => {
    await Promise.all(parties.map((party) => check(party.indexer, party)));
  };

  function launch({ home, databaseUrl }: Pick<Party, "home" | "databaseUrl">): Promise<Indexer> {
    return startIndexer(home, anvil.url, databaseUrl ? { DATABASE_URL: databaseUrl } : {}, (running) =>
      cleanup.add(() => running.stop()),
    );
  }

  /** What the logs say, rebuilt here. */
  async function rebuilt(): Promise<Auditor> {
    const auditor = new Auditor();
    const { contracts, startBlock } = network.deployment;
    const toBlock = Number(await client.getBlockNumber({ cacheTime: 0 }));
    for await (const events of readLedgerEvents({ client, contracts, fromBlock: Number(startBlock), toBlock })) {
      for (const event of events) await auditor.apply(event);
    }
    return auditor;
  }

  const totals = async (indexer: Indexer) => {
    const { total } = await indexer.query<{ total: { events: number; digest: string } | null }>(
      "{ total(id: 1) { events digest } }",
    );
    return total ?? { events: 0, digest: "" };
  };

  /** Waits until every indexer holds exactly the chain's history. */
  async function caughtUp(): Promise<Auditor> {
    const auditor = await rebuilt();
    const total = auditor.store.get("total", "1");
    await each(async (indexer) => {
      await indexer.until("the chain's digest", async () => (await totals(indexer)).digest === total?.digest);
      expect((await totals(indexer)).events).toBe(total?.events);
    });
    return auditor;
  }

  /** A real event in the next block: a provider pauses or resumes. */
  async function pause(index: number, accepting: boolean): Promise<void> {
    const from = network.providers[index % network.providers.length]?.address ?? "0x";
    const to = network.deployment.contracts.registry;
    network.queue([{ from, to, abi: registryAbi as never, functionName: "setAccepting", args: [accepting] }]);
    await network.block();
  }

  async function auditOf(indexer: Indexer): Promise<AuditAnswer> {
    const { audit } = await indexer.query<{ audit: AuditAnswer }>(
      "{ audit { state difference sweeps findings { id violations } } }",
    );
    return audit;
  }

  /** `npm run audit` in a process of its own. */
  async function runAudit(...args: string[]): Promise<{ code: number | null; output: string }> {
    const given = ["--rpc", anvil.url, "--deployment", join(parties[0]?.home ?? "", "deployment.json"), ...args];
    const running = start(process.execPath, ["--import", "tsx", "--conditions=source", AUDIT_SCRIPT, ...given]);
    const { code } = await running.exited;
    return { code, output: running.output() };
  }

  beforeAll(async () => {
    const binaries = postgresBinaries();
    if (!binaries) console.warn("SKIPPED: no PostgreSQL for this platform; the ledger is tested on PGlite only");
    const [chain, postgres] = await Promise.all([startAnvil(), binaries ? startPostgres() : undefined]);
    anvil = chain;
    client = anvil.client as PublicClient;
    if (postgres) cleanup.add(() => postgres.stop());
    cleanup.add(() => anvil.stop());
    network = await createLoadNetwork(anvil.url);
    await runJobs(network, LIVES, 1n);
    await withdrawAll(network);
    first = await rebuilt();
    // All of it sinks below Ponder's finality and comes by backfill; what the tests do comes by live indexing.
    await anvil.test.mine({ blocks: 40 });
    const wanted = [{ database: "pglite" as const, databaseUrl: undefined }];
    const both = postgres ? [...wanted, { database: "postgres" as const, databaseUrl: postgres.url }] : wanted;
    const started = await Promise.all(
      both.map(async ({ database, databaseUrl }): Promise<Party> => {
        const folder = await createHome(network.deployment);
        cleanup.add(() => folder.remove());
        const home = folder.path;
        return { database, databaseUrl, home, indexer: await launch({ home, databaseUrl }) };
      }),
    );
    parties.push(...started);
    await network.resync();
    await pause(0, false);
  }, 400_000);
  afterAll(() => cleanup.run());

  test("of the real contracts' events every invariant holds, each having been put to the test", () => {
    expect(violations(first)).toEqual([]);
    expect(first.findings.filter(({ checked }) => checked === 0)).toEqual([]);
  });

  test("every balance rebuilt from events is the escrow's own", async () => {
    const { store } = await rebuilt();
    const block = Number(await client.getBlockNumber({ cacheTime: 0 }));
    const escrow = network.deployment.contracts.escrow;
    const { findings, owed, rebuilt: sum } = await compareWithChain({ client, escrow, store, block });
    expect(findings.flatMap(({ violations: found }) => found)).toEqual([]);
    expect(sum).toBe(owed);
    expect(findings.every(({ checked }) => checked > 0)).toBe(true);
  });

  test("each life ends as it should", () => {
    const job = (index: number) => first.store.get("job", String(index + 1));
    expect(job(0)).toMatchObject({ status: "Settled", metTarget: true, headStep: 400, handOvers: 0, locked: 0n });
    expect(job(1)).toMatchObject({ status: "Settled", headStep: 400, handOvers: 1, owedPay: 0n, owedFees: 0n });
    expect(job(2)).toMatchObject({ status: "Settled", headStep: 400, refusals: 1 });
    expect(job(3)).toMatchObject({ status: "Settled", cancelled: true, headStep: 100, protocolFee: 0n });
    expect(job(4)).toMatchObject({ status: "Settled", headStep: 50, protocolFee: 0n, contestedFrom: null });
    expect(first.store.get("lease", "2:1")).toMatchObject({ cause: "Evicted", bondHeld: 0n });
    expect(first.store.get("lease", "3:1")).toMatchObject({ cause: "Refused", bondLost: 2_000n, bondHeld: 0n });
    expect(first.store.get("checkpoint", String((5n << 32n) | 2n))).toMatchObject({ status: "Cut", paid: 0n });
  });

  test("holds exactly what the logs say", async () => {
    const { store } = await caughtUp();
    const total = store.get("total", "1");
    await each(async (indexer) => {
      const { totals: page } = await indexer.query<{ totals: { items: Record<string, string | number>[] } }>(
        "{ totals { items { events locked claimable bonds reserved jobs settledJobs stepsAccepted providerPay } } }",
      );
      const [row = {}] = page.items;
      const mine = Object.fromEntries(Object.keys(row).map((key) => [key, String(total?.[key as "events"])]));
      expect(Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value)]))).toEqual(mine);
      expect(row.events).toBeGreaterThan(200);
    });
  });

  test("a job's page is one query: timeline, curve, votes, who earned what, why something is unpaid", () =>
    each(async (indexer) => {
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
    }));

  test("open work, records and everything an address touched are one query each", async () => {
    const address = network.providers[0]?.address.toLowerCase();
    await each(async (indexer) => {
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
  });

  test("every query in the README is answered", async () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const queries = [...readme.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
    expect(queries.length).toBeGreaterThanOrEqual(3);
    const address = network.providers[0]?.address.toLowerCase();
    const variables = { id: "3", price: "1000", now: Math.floor(Date.now() / 1000), address };
    await each(async (indexer) => {
      for (const text of queries) {
        const used = Object.entries(variables).filter(([name]) => text.includes(`$${name}`));
        const answer = await indexer.query<Record<string, unknown>>(text, Object.fromEntries(used));
        const empty = Object.entries(answer).filter(([, value]) => value === null);
        // The provider is no verifier.
        expect(empty.map(([name]) => name).filter((name) => name !== "verifier")).toEqual([]);
      }
    });
  });

  test("pages by cursor reach every row once", () =>
    each(async (indexer) => {
      const seen: number[] = [];
      for (let after: string | null = null; ; ) {
        const { journals }: { journals: JournalPage } = await indexer.query(
          "query ($after: String) { journals(limit: 90, after: $after) { items { seq } pageInfo { hasNextPage endCursor } } }",
          { after },
        );
        seen.push(...journals.items.map(({ seq }) => seq));
        if (!journals.pageInfo.hasNextPage) break;
        after = journals.pageInfo.endCursor;
      }
      expect(seen).toEqual(Array.from({ length: (await totals(indexer)).events }, (_, index) => index + 1));
    }));

  test("reserves: the contract's word and the rebuilt sum are of one block and differ by nothing", async () => {
    const head = Number(await client.getBlockNumber({ cacheTime: 0 }));
    await each(async (indexer) => {
      const reserves = await indexer.get<ReservesAnswer>("/reserves");
      expect(reserves).toMatchObject({ block: head, difference: "0", surplus: "0" });
      const { rebuilt: sums, summed, contract } = reserves;
      expect(sums.owed).toBe(contract.owed);
      expect(BigInt(contract.owed)).toBeGreaterThan(0n);
      expect(BigInt(summed.jobs) + BigInt(summed.accounts)).toBe(BigInt(contract.owed));
    });
  });

  test("says where it stands", () =>
    each(async (indexer, { database }) => {
      const status = await indexer.get<Record<string, unknown>>("/api/status");
      expect(status).toMatchObject({ state: "live", behind: false, lag: { blocks: 0, seconds: 0 }, chainId: 31337 });
      expect(status).toMatchObject({ schema: indexer.schema, database });
      expect(await indexer.query("{ status { state lag { blocks } finalized { block } } }")).toMatchObject({
        status: { state: "live", lag: { blocks: 0 } },
      });
    }));

  test("limits: depth, cost, aliases, size; only indexed columns; introspection and CORS stay open", () =>
    each(async (indexer) => {
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
    }));

  test("live: new events come in order, and a listener that comes back misses none", async () => {
    const listeners = await Promise.all(parties.map(({ indexer }) => readEvents(`${indexer.url}/live`)));
    await pause(1, false);
    const seen = await Promise.all(listeners.map((listener) => listener.next("journal")));
    for (const { data } of seen) expect(data).toMatchObject({ name: "AcceptingSet", contract: "Registry" });
    await Promise.all(listeners.map((listener) => listener.close()));
    await pause(2, false);
    await pause(3, false);
    const [{ id } = { id: undefined }] = seen;
    await each(async (indexer) => {
      const again = await readEvents(`${indexer.url}/live`, id);
      const ids = [await again.next("journal"), await again.next("journal")].map((event) => Number(event.id));
      expect(ids).toEqual([Number(id) + 1, Number(id) + 2]);
      await again.close();
      const filtered = await readEvents(`${indexer.url}/live?job=3&after=0`);
      expect((await filtered.next("journal")).data).toMatchObject({ name: "BudgetLocked", jobId: "3" });
      await filtered.close();
    });
  });

  test("a GraphQL subscription tells the same", () =>
    each(async (indexer) => {
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
      expect(text).toMatch(/BudgetLocked[\s\S]*JobPosted/);
    }));

  test("a reorg takes back what it took back, and listeners are told from where", async () => {
    const before = await totals(parties[0]?.indexer as Indexer);
    const listeners = await Promise.all(parties.map(({ indexer }) => readEvents(`${indexer.url}/live`)));
    await pause(4, false);
    await Promise.all(listeners.map((listener) => listener.next("journal")));
    await pause(5, false);
    await Promise.all(listeners.map((listener) => listener.next("journal")));
    // The last two blocks are replaced by empty ones.
    await anvil.client.request({ method: "anvil_reorg", params: [2, []] } as never);
    await anvil.test.mine({ blocks: 1 });
    for (const listener of listeners) {
      expect((await listener.next("reorg")).data).toEqual({ after: before.events });
      await listener.close();
    }
    await caughtUp();
    await each(async (indexer) => {
      const { provider } = await indexer.query<{ provider: { accepting: boolean } }>(
        "query ($address: String!) { provider(address: $address) { accepting } }",
        { address: network.providers[5]?.address.toLowerCase() },
      );
      expect(provider.accepting).toBe(true);
    });
  });

  test("killed in the middle and started again, it goes on without a gap or a double", async () => {
    await each(async (indexer) => {
      indexer.process.child.kill("SIGKILL");
      await indexer.process.exited;
    });
    await network.resync();
    await pause(0, true);
    await runJobs(network, ["plain"], 6n);
    await each(async (_, party) => {
      party.indexer = await launch(party);
    });
    await pause(2, true);
    await caughtUp();
    await each(async (indexer) => {
      const { job } = await indexer.query<{ job: { status: string } }>('{ job(id: "6") { status } }');
      expect(job.status).toBe("Settled");
    });
  }, 300_000);

  test("a database that does not answer, and a second indexer in the same folder, end the start with what to do", async () => {
    const refused = async (more: Record<string, string>) => {
      const running = spawnIndexer(indexerEnv(parties[0]?.home ?? "", anvil.url, more));
      expect(await running.exited).toMatchObject({ code: 1 });
      expect(running.output()).toMatch(/hint: /);
      return running.output();
    };
    expect(await refused({ DATABASE_URL: "postgres://127.0.0.1:1/none" })).toMatch(/PostgreSQL cannot be used/);
    expect(await refused({})).toMatch(/Another indexer \(process \d+\) uses/);
  });

  test("npm run audit: all holds, in every row of a running indexer too, with exit code 0", async () => {
    await each(async (indexer) => {
      const { code, output } = await runAudit("--indexer", indexer.url);
      expect(output).toMatch(/All invariants hold/);
      expect(output).not.toMatch(/FAILS/);
      expect(code).toBe(0);
    });
  });

  test("npm run audit says what is missing, with exit code 2", async () => {
    const { code, output } = await runAudit("--block", "soon");
    expect(output).toMatch(/--block is no block/);
    expect(code).toBe(2);
  });

  test("the self-audit holds; rows of the database that were tampered with are found and named, there and by npm run audit", async () => {
    // A block every second: an audit as of a final block, again and again, and never so far behind that its state is pruned.
    await anvil.test.mine({ blocks: 6 });
    await anvil.test.setIntervalMining({ interval: 1 });
    await each(async (indexer) => {
      await indexer.until("a first audit", async () => {
        return !["starting", "unable"].includes((await auditOf(indexer)).state);
      });
      const honest = await auditOf(indexer);
      expect(honest.findings.flatMap(({ violations: found }) => found)).toEqual([]);
      expect(honest).toMatchObject({ state: "ok", difference: "0" });
    });
    await each(async (indexer, party) => {
      const { schema } = indexer;
      const statements = [
        // Past Ponder's own triggers, as somebody would who means it. The rows are of the backfill: newer ones than Ponder's own
        // finality it would take back and write anew at a restart.
        "SET session_replication_role = replica",
        `UPDATE "${schema}".job SET refund = refund + 1 WHERE id = 1`,
        `UPDATE "${schema}".vote SET score = 1 WHERE job_id = 1 AND seat = 0`,
        `DELETE FROM "${schema}".seat WHERE job_id = 2 AND seat = 0`,
      ];
      if (party.databaseUrl) {
        const script = fileURLToPath(new URL("helpers/runSql.mjs", import.meta.url));
        const given = JSON.stringify(statements.map((text) => [text]));
        const running = start(process.execPath, [script, party.databaseUrl, given]);
        await running.exited;
        expect(running.output()).toBe("");
      } else {
        await indexer.process.stop();
        const folder = readdirSync(join(party.home, "pglite")).find((name) => !name.endsWith(".pid")) ?? "";
        const database = await PGlite.create(join(party.home, "pglite", folder));
        for (const text of statements) await database.query(text);
        // What the ledger has said is on the disk once it has stopped.
        const { rows } = await database.query(`SELECT id FROM "${schema}".job WHERE id = 1`);
        expect(rows).toHaveLength(1);
        await database.close();
        party.indexer = await launch(party);
      }
    });
    await each(async (indexer, { database }) => {
      // Accounts, jobs and sums are compared at once, all else as the sweep comes by: the first failing audit need not name all.
      const { sweeps } = await auditOf(indexer);
      await indexer.until("two sweeps over all rows", async () => (await auditOf(indexer)).sweeps >= sweeps + 2);
      const tampered = await auditOf(indexer);
      expect(tampered.state, database).toBe("failing");
      const found = tampered.findings.flatMap(({ violations: texts }) => texts).join("\n");
      expect(found).toMatch(/job 1: refund/);
      expect(found).toMatch(/vote .*: score/);
      expect(found).toMatch(/seat rows, the logs make/);
      const metrics = await (await fetch(`${indexer.url}/metrics`)).text();
      expect(metrics).toMatch(/gpuchain_ledger_audit_ok 0/);
      expect(indexer.process.output()).toMatch(/AUDIT FAILS/);
    });
    await each(async (indexer) => {
      const { code, output } = await runAudit("--indexer", indexer.url);
      expect(output).toMatch(/job 1: refund is/);
      expect(output).toMatch(/vote .*: score is/);
      expect(output).toMatch(/seat 2:0:\d+ is missing/);
      expect(code).toBe(1);
    });
  }, 300_000);

  test("npm run audit finds money that is gone, with exit code 1", async () => {
    const { escrow, usdc } = network.deployment.contracts;
    const [thief] = network.clients;
    await anvil.test.setIntervalMining({ interval: 0 });
    network.queue([
      { from: escrow, to: usdc, abi: testUsdcAbi as Abi, functionName: "transfer", args: [thief?.address, 1n] },
    ]);
    await anvil.test.setBalance({ address: escrow, value: 10n ** 18n });
    await network.resync();
    await network.block();
    const { code, output } = await runAudit("--json");
    const report = JSON.parse(output.slice(output.indexOf("{"))) as { findings: { id: string; violated: number }[] };
    expect(report.findings.filter(({ violated }) => violated > 0).map(({ id }) => id)).toEqual(["solvency"]);
    expect(code).toBe(1);
  });
});
