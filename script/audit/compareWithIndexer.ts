import type { Finding, MemoryStore, TableName } from "@gpuchain/indexer/ledger";

/** Tables that are compared row by row, and the columns that name a row. `txFrom` is not in a log, so it is left out. */
const TABLES: { table: TableName; plural: string; keys: string[]; skip?: string[] }[] = [
  { table: "journal", plural: "journals", keys: ["seq"], skip: ["txFrom"] },
  { table: "posting", plural: "postings", keys: ["seq", "line"] },
  { table: "account", plural: "accounts", keys: ["address"] },
  { table: "job", plural: "jobs", keys: ["id"] },
  { table: "lease", plural: "leases", keys: ["jobId", "fence"] },
  { table: "checkpoint", plural: "checkpoints", keys: ["id"] },
  { table: "vote", plural: "votes", keys: ["checkpointId", "verifier"] },
  { table: "seat", plural: "seats", keys: ["jobId", "seat", "seq"] },
  { table: "eviction", plural: "evictions", keys: ["jobId", "fence"] },
  { table: "payout", plural: "payouts", keys: ["seq", "line"] },
  { table: "challenge", plural: "challenges", keys: ["checkpointId"] },
  { table: "slashing", plural: "slashings", keys: ["seq"] },
  { table: "bondChange", plural: "bondChanges", keys: ["seq"] },
  { table: "withdrawal", plural: "withdrawals", keys: ["seq"] },
  { table: "provider", plural: "providers", keys: ["address"] },
  { table: "verifier", plural: "verifiers", keys: ["address"] },
];
const PAGE = 1000;

interface Page {
  items: Record<string, unknown>[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/**
 * Holds an indexer's rows against those rebuilt from logs up to `block`. Rows that it has changed since are left out.
 * @param url base URL of the indexer
 */
export async function compareWithIndexer({
  url,
  store,
  block,
}: {
  url: string;
  store: MemoryStore;
  block: number;
}): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { table, plural, keys, skip = [] } of TABLES) {
    const finding: Finding = {
      id: `indexer.${table}`,
      title: `The indexer's ${plural} are the logs'`,
      checked: 0,
      violations: [],
      violated: 0,
    };
    findings.push(finding);
    const report = (text: string) => {
      finding.violated += 1;
      if (finding.violations.length < 20) finding.violations.push(text);
    };
    const expected = new Map(
      store.all(table).map((row) => {
        const plain = plainRow(row);
        return [keys.map((key) => String(plain[key])).join(":"), plain] as const;
      }),
    );
    const columns = Object.keys([...expected.values()][0] ?? {}).filter((column) => !skip.includes(column));
    if (columns.length === 0) columns.push(...keys);
    if (!columns.includes("block")) columns.push("block");
    for await (const row of rows(url, plural, columns)) {
      const key = keys.map((name) => String(row[name])).join(":");
      const mine = expected.get(key);
      expected.delete(key);
      if (Number(row.block) > block) continue;
      finding.checked += 1;
      if (!mine) {
        report(`${table} ${key} is in the indexer, but in no log`);
        continue;
      }
      for (const column of columns) {
        const [theirs, ours] = [JSON.stringify(row[column]), JSON.stringify(mine[column])];
        if (theirs !== ours) report(`${table} ${key}: ${column} is ${theirs}, the logs say ${ours}`);
      }
    }
    for (const key of expected.keys()) report(`${table} ${key} is missing in the indexer`);
  }
  return findings;
}

async function* rows(url: string, plural: string, columns: string[]): AsyncGenerator<Record<string, unknown>> {
  let after: string | null = null;
  do {
    const query = `query ($after: String) { page: ${plural}(limit: ${PAGE}, after: $after) { items { ${columns.join(" ")} } pageInfo { hasNextPage endCursor } } }`;
    const response = await fetch(new URL("/graphql", url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables: { after } }),
    });
    const answer = (await response.json()) as { data?: { page: Page } | null; errors?: { message: string }[] };
    if (!answer.data)
      throw new Error(`the indexer at ${url} refuses: ${answer.errors?.[0]?.message ?? response.status}`);
    const { items, pageInfo } = answer.data.page;
    yield* items;
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
}

/** A row as GraphQL writes it: bigints as decimal strings. */
function plainRow(row: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(row, (_key, value) => (typeof value === "bigint" ? value.toString() : value)));
}
