import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { GpuchainError } from "./errors.ts";
import { redactUrl } from "./redact.ts";

/** One setting: where it may come from, how it is read, what it means. */
export interface ConfigField<T = unknown> {
  description: string;
  /** Reads the text of a flag or an environment variable; throws when it is not valid. */
  parse: (raw: string) => T;
  /** Environment variable, e.g. `GPUCHAIN_RPC`. */
  env?: string;
  /** Command-line flag, e.g. `--rpc`. A secret has none: argv is visible to every process of the machine. */
  flag?: string;
  /** How the flag's value is named in --help, e.g. `<url>`. Absent: the flag is a switch and takes no value. */
  value?: string;
  default?: T;
  /** May be left out although it has no default; its value is then undefined. */
  optional?: boolean;
  /** Never shown: `true` for all of it, `"url"` for the credentials inside an address. */
  secret?: boolean | "url";
}

export type ConfigTable = Readonly<Record<string, ConfigField>>;

/** The values of a table, each of its own type. */
export type ConfigValues<Table extends ConfigTable> = {
  [Key in keyof Table]: ReturnType<Table[Key]["parse"]> | (Table[Key] extends { optional: true } ? undefined : never);
};

/** Declares a table; refuses a secret with a flag and two fields of one name. */
export function defineConfig<const Table extends ConfigTable>(table: Table): Table {
  const seen = new Set<string>();
  for (const [name, field] of Object.entries<ConfigField>(table)) {
    if (field.secret === true && field.flag !== undefined) throw new TypeError(`${name} is secret: no flag for it`);
    for (const key of [field.env, field.flag]) {
      if (key === undefined) continue;
      if (seen.has(key)) throw new TypeError(`${key} is used twice`);
      seen.add(key);
    }
  }
  return table;
}

export interface ConfigSources {
  /** Arguments after the command's name. Unknown flags and loose words are refused. */
  argv?: readonly string[];
  /** Values already parsed by commander, by the flag's camel-cased name; used instead of `argv`. */
  flags?: Readonly<Record<string, unknown>>;
  env?: Readonly<Record<string, string | undefined>>;
  /** Path of a JSON file whose keys are the table's names. */
  file?: string | undefined;
}

/** Reads a table: flag, then environment, then file, then default. Throws CONFIG_MISSING, CONFIG_INVALID, CONFIG_UNKNOWN. */
export function loadConfig<Table extends ConfigTable>(table: Table, sources: ConfigSources): ConfigValues<Table> {
  const flags = sources.flags ?? readFlags(table, sources.argv ?? []);
  const file = sources.file === undefined ? {} : readFile(table, sources.file);
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<ConfigField>(table)) {
    const fromFlag = field.flag === undefined ? undefined : flags[camelCase(field.flag)];
    const fromEnv = field.env === undefined ? undefined : sources.env?.[field.env];
    if (fromFlag !== undefined) values[name] = parse(field, fromFlag, String(field.flag));
    else if (fromEnv !== undefined && fromEnv !== "") values[name] = parse(field, fromEnv, String(field.env));
    else if (file[name] !== undefined) values[name] = parse(field, file[name], `"${name}" in ${sources.file}`);
    else if (field.default !== undefined || field.optional) values[name] = field.default;
    else throw missing(name, field);
  }
  return values as ConfigValues<Table>;
}

/** The values as they may be shown: secrets replaced, credentials in addresses cut out, amounts as text. */
export function redactConfig<Table extends ConfigTable>(
  table: Table,
  values: ConfigValues<Table>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries<ConfigField>(table).map(([name, field]) => {
      const value = values[name];
      if (value === undefined) return [name, undefined];
      if (field.secret === true) return [name, "[redacted]"];
      if (field.secret === "url") return [name, redactUrl(String(value))];
      return [name, typeof value === "bigint" ? value.toString() : value];
    }),
  );
}

/** Camel-cased name of a flag as commander gives it: `--password-file` → `passwordFile`. */
export function camelCase(flag: string): string {
  return flag.replace(/^--/, "").replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function parse(field: ConfigField, raw: unknown, source: string): unknown {
  try {
    return field.parse(String(raw));
  } catch (error) {
    // What cannot be read as an address may be one all the same, with a password in it.
    const isSecret = field.secret === true || (field.secret === "url" && /[/@?]/.test(String(raw)));
    const shown = isSecret ? "cannot be used" : error instanceof Error ? error.message : String(error);
    throw new GpuchainError("CONFIG_INVALID", `${source}: ${shown}`, {
      hint: field.description,
      ...(!isSecret && { cause: error }),
    });
  }
}

function missing(name: string, field: ConfigField): GpuchainError {
  const ways = [field.flag, field.env].filter((way) => way !== undefined);
  return new GpuchainError("CONFIG_MISSING", `${name} is not set: ${field.description}`, {
    hint: ways.length === 0 ? `set "${name}" in the configuration file` : `give ${ways.join(" or set ")}`,
  });
}

function readFlags(table: ConfigTable, argv: readonly string[]): Record<string, unknown> {
  const options: Record<string, { type: "string" | "boolean" }> = {};
  for (const field of Object.values<ConfigField>(table)) {
    if (field.flag !== undefined)
      options[field.flag.slice(2)] = { type: field.value === undefined ? "boolean" : "string" };
  }
  try {
    const { values } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: false });
    return Object.fromEntries(Object.entries(values).map(([flag, value]) => [camelCase(flag), value]));
  } catch (error) {
    throw new GpuchainError("USAGE", error instanceof Error ? error.message : String(error), { hint: "see --help" });
  }
}

function readFile(table: ConfigTable, path: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new GpuchainError("CONFIG_INVALID", `cannot read the configuration file ${path}`, {
      hint: "it must exist and hold one JSON object",
      cause: error,
    });
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new GpuchainError("CONFIG_INVALID", `${path} does not hold a JSON object`);
  }
  const unknown = Object.keys(content).find((key) => !(key in table));
  if (unknown !== undefined) {
    throw new GpuchainError("CONFIG_UNKNOWN", `${path}: "${unknown}" is no setting`, {
      hint: `the settings are ${Object.keys(table).join(", ")}`,
    });
  }
  return content as Record<string, unknown>;
}
