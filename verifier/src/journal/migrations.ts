/**
 * The verifier's own tables, append only. Ids and amounts that may pass 2^53 are text. What was signed stands here before it leaves
 * the process: a restarted or restored daemon can tell what it may still say.
 */
export const verifierMigrations: readonly string[] = [
  `CREATE TABLE verdict (
     checkpoint TEXT PRIMARY KEY,
     chain INTEGER NOT NULL,
     contract TEXT NOT NULL,
     content TEXT NOT NULL,
     outcome INTEGER NOT NULL,
     message TEXT NOT NULL,
     signed_at INTEGER NOT NULL
   );
   CREATE TABLE eviction (
     job TEXT NOT NULL,
     fence TEXT NOT NULL,
     attested_at TEXT NOT NULL,
     message TEXT NOT NULL,
     PRIMARY KEY (job, fence, attested_at)
   );
   CREATE TABLE evidence (checkpoint TEXT PRIMARY KEY, body TEXT NOT NULL);`,
  `CREATE TABLE claim (
     sha256 TEXT NOT NULL,
     job TEXT NOT NULL,
     purpose TEXT NOT NULL,
     fence TEXT NOT NULL,
     owner TEXT NOT NULL,
     size INTEGER NOT NULL,
     restricted INTEGER NOT NULL DEFAULT 0,
     at INTEGER NOT NULL,
     PRIMARY KEY (sha256, job, purpose, fence)
   );
   CREATE INDEX claim_job ON claim (job, fence, purpose);
   CREATE TABLE trace (root TEXT PRIMARY KEY, sha256 TEXT NOT NULL);`,
  `CREATE TABLE receipt (
     job TEXT NOT NULL,
     fence TEXT NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (job, fence)
   );`,
  // Keys of sealed held-out data, in the clear: this file is as secret as the key file beside it.
  `CREATE TABLE held_out_key (job TEXT PRIMARY KEY, key TEXT NOT NULL);`,
];
