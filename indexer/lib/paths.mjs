import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The Ponder project: this workspace. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where Ponder's compiled modules lie. Its bin and its GraphQL builder have no entry point; the exact pin makes this safe. */
export const ponderDist = dirname(fileURLToPath(import.meta.resolve("ponder")));
