import {
  type Finding,
  type MemoryStore,
  type TableName,
  keys as tableKeys,
  tableNames,
} from "@gpuchain/indexer/ledger";

/** What a log does not say, so that no row can be held to it. */
const UNTOLD: Partial<Record<TableName, string>> = { journal: "txFrom" };
const PAGE = 1000;

interface Page {
  items: Record<string, unknown>[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/**
 * Holds an indexer's rows against those rebuilt from logs up to `block`. Rows that it has changed since are left out.
 * @param url base URL of the indexer
 * @throws when it does not answer, or has not got as far as `block`
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
  const { status } = await ask<{ status: { indexed: { block: number } | null } }>(
    url,
    "{ status { indexed { block } } }",
  );
  const indexed = status.indexed?.block ?? -1;
  if (indexed < block) {
    throw new Error(`the indexer at ${url} stands at block ${indexed}, the audit at ${block}: wait, or give --block`);
  }
  const findings: Finding[] = [];
  for (const table of tableNames) {
    const plural = `${table}s`;
    const key = (row: Record<string, unknown>) => tableKeys[table].map((column) => String(row[column])).join(":");
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
        return [key(plain), plain] as const;
      }),
    );
    const columns = Object.keys([...expected.values()][0] ?? {}).filter((column) => column !== UNTOLD[table]);
    if (columns.length === 0) columns.push(...tableKeys[table]);
    if (!columns.includes("block")) columns.push("block");
    for await (const row of rows(url, plural, columns)) {
      const name = key(row);
      const mine = expected.get(name);
      expected.delete(name);
      if (Number(row.block) > block) continue;
      finding.checked += 1;
      if (!mine) {
        report(`${table} ${name} is in the indexer, but in no log`);
        continue;
      }
      for (const column of columns) {
        const [theirs, ours] = [JSON.stringify(row[column]), JSON.stringify(mine[column])];
        if (theirs !== ours) report(`${table} ${name}: ${column} is ${theirs}, the logs say ${ours}`);
      }
    }
    for (const name of expected.keys()) report(`${table} ${name} is missing in the indexer`);
  }
  return findings;
}

/** The newest block that an indexer shows; -1 before its first. */
export async function indexedBlock(url: string): Promise<number> {
  type Answer = { status: { indexed: { block: number } | null } };
  const { status } = await ask<Answer>(url, "{ status { indexed { block } } }");
  return status.indexed?.block ?? -1;
}

async function* rows(url: string, plural: string, columns: string[]): AsyncGenerator<Record<string, unknown>> {
  let after: string | null = null;
  do {
    const query = `query ($after: String) { page: ${plural}(limit: ${PAGE}, after: $after) { items { ${columns.join(" ")} } pageInfo { hasNextPage endCursor } } }`;
    const answer: { page: Page } = await ask(url, query, { after });
    const { items, pageInfo } = answer.page;
    yield* items;
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
}

async function ask<T>(url: string, query: string, variables: Record<string, unknown> = {}): Promise<T> {
  const response = await fetch(new URL("/graphql", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const answer = (await response.json()) as { data?: T | null; errors?: { message: string }[] };
  if (!answer.data) {
    throw new Error(`the indexer at ${url} refuses: ${answer.errors?.[0]?.message ?? response.status}`);
  }
  return answer.data;
}

/** A row as GraphQL writes it: bigints as decimal strings. */
function plainRow(row: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(row, (_key, value) => (typeof value === "bigint" ? value.toString() : value)));
}
