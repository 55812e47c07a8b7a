// Runs statements on a PostgreSQL in a process of its own: under vitest's export conditions `pg` does not load.
// Arguments: URL, JSON of [text, parameters][].
import pg from "pg";

const [url, statements] = process.argv.slice(2);
const client = new pg.Client({ connectionString: url });
await client.connect();
for (const [text, parameters] of JSON.parse(statements)) {
  const { rowCount } = await client.query(text, parameters);
  if (rowCount === 0) throw new Error(`nothing changed: ${text}`);
}
await client.end();
