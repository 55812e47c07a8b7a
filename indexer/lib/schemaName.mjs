import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";

/**
 * The database schema of one deployment as read by one version of the indexer. Chain id and addresses are not enough: a
 * re-created local chain repeats both, so the hash of the block that the deployment starts at is part of the name; and tables
 * written by other code must not be continued, so the code is too.
 * @param {{ deployment: { chainId: number }, anchorHash: string }} parameters
 * @returns {string} at most 45 characters, Ponder's limit
 */
export function schemaName({ deployment, anchorHash }) {
  const hash = createHash("sha256")
    .update(JSON.stringify([sortKeys(deployment), anchorHash]))
    .update(codeFingerprint())
    .digest("hex");
  return `gpuchain_${deployment.chainId}_${hash.slice(0, 12)}`;
}

/** SHA-256 over every file that decides what the tables hold. */
export function codeFingerprint() {
  const hash = createHash("sha256");
  for (const file of ["ponder.config.ts", "ponder.schema.ts", ...sources("src"), ...sources("ledger")]) {
    hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

function sources(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, String(file)))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith(join("src", "api")))
    .sort();
}

function sortKeys(value) {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key])]),
  );
}
