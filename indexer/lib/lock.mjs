// Ponder locks its schema and honours the lock of a killed process for 25 s. Where it can be proven that the holder is gone,
// the lock is taken back at once; where it is alive, starting is refused instead of waiting.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "./settings.mjs";

/**
 * Takes the PGlite folder of a schema for this process: two processes in one PGlite folder destroy it.
 * @param {string} base
 * @param {string} schema
 * @returns {{ path: string, abandoned: boolean }} `abandoned`: a process that is gone left it
 */
export function claimDirectory(base, schema) {
  const path = join(base, schema);
  mkdirSync(path, { recursive: true });
  const file = join(base, `${schema}.pid`);
  const owner = readOwner(file);
  if (owner !== undefined && owner !== process.pid && isAlive(owner)) {
    throw new StartError(`Another indexer (process ${owner}) uses ${path}.`, "Stop it, or set PGLITE_DIRECTORY.", 1);
  }
  writeFileSync(file, `${process.pid}\n`);
  return { path, abandoned: owner !== undefined };
}

/**
 * @param {{ schema: string, databaseUrl?: string, directory?: { path: string, abandoned: boolean } }} parameters
 */
export async function releaseStaleLock({ schema, databaseUrl, directory }) {
  const unlock = `UPDATE "${schema}"."_ponder_meta" SET value = jsonb_set(value, '{is_locked}', to_jsonb(0))`;
  const exists = `SELECT to_regclass('"${schema}"."_ponder_meta"') IS NOT NULL AS found`;
  if (directory?.abandoned) {
    const { PGlite } = await import("@electric-sql/pglite");
    const database = await PGlite.create(directory.path);
    try {
      const { rows } = await database.query(exists);
      if (rows[0].found) await database.query(unlock);
    } finally {
      await database.close();
    }
  }
  if (databaseUrl) {
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: databaseUrl, application_name: "gpuchain_indexer_start" });
    try {
      await client.connect();
      const { rows } = await client.query(exists);
      // Ponder names its sessions after the schema; none connected means that whoever locked it is gone.
      const { rows: sessions } = await client.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = $1",
        [`${schema}_internal`],
      );
      if (rows[0].found && sessions[0].n === 0) await client.query(unlock);
    } catch (cause) {
      throw new StartError(
        `PostgreSQL cannot be used: ${cause.message || cause.code}.`,
        "Check DATABASE_URL and that the server runs.",
        1,
      );
    } finally {
      await client.end();
    }
  }
}

function readOwner(file) {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
