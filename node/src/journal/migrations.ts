/** Tables of the node's journal. Append only: a script that has run anywhere is never changed. Ids and money are text, see `Journal`. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

   -- One row per lease held, so that earnings and endings can be told after a restart.
   CREATE TABLE leases (
     job TEXT NOT NULL, fence TEXT NOT NULL, price TEXT NOT NULL, since INTEGER NOT NULL, cause TEXT,
     PRIMARY KEY (job, fence)
   ) STRICT;

   -- Trace points not yet settled by a verdict. A segment is named by the state it starts from; its leaves rise by step.
   CREATE TABLE trace (
     job TEXT NOT NULL, parent TEXT NOT NULL, step INTEGER NOT NULL, state TEXT NOT NULL, batches TEXT NOT NULL,
     loss REAL NOT NULL, checkpoint INTEGER NOT NULL,
     PRIMARY KEY (job, parent, step)
   ) STRICT;

   -- Own checkpoints from upload to verdict.
   CREATE TABLE checkpoints (
     job TEXT NOT NULL, fence TEXT NOT NULL, step INTEGER NOT NULL, parent TEXT NOT NULL, state TEXT NOT NULL,
     root TEXT NOT NULL, steps INTEGER NOT NULL, price TEXT NOT NULL, id TEXT, outcome TEXT, pay TEXT,
     PRIMARY KEY (job, fence, step, state)
   ) STRICT;`,

  // What each transaction cost, in wei.
  `CREATE TABLE gas (hash TEXT PRIMARY KEY, intent TEXT NOT NULL, wei TEXT NOT NULL) STRICT;`,
];
