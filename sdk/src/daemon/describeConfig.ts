import type { Command } from "commander";
import type { ConfigField, ConfigTable } from "./config.ts";

function shownDefault(field: ConfigField): string {
  if (field.default === undefined) return field.optional ? "" : "required";
  return typeof field.default === "bigint" ? field.default.toString() : String(field.default);
}

/** The table as Markdown, for a README: flag, environment variable, default, meaning. */
export function describeConfig(table: ConfigTable): string {
  const rows = Object.entries<ConfigField>(table).map(([name, field]) => {
    const flag = field.flag === undefined ? "" : `\`${[field.flag, field.value].filter(Boolean).join(" ")}\``;
    const env = field.env === undefined ? "" : `\`${field.env}\``;
    return `| ${name} | ${flag} | ${env} | ${shownDefault(field)} | ${field.description} |`;
  });
  return ["| setting | flag | environment | default | meaning |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** Adds a table's flags to a commander command, so that `--help` shows them; read them with `loadConfig({ flags: command.opts() })`. */
export function addConfigFlags(command: Command, table: ConfigTable): Command {
  for (const field of Object.values<ConfigField>(table)) {
    if (field.flag === undefined) continue;
    const usual = shownDefault(field);
    const notes = [
      // A switch that is off by default needs no word.
      ...(usual === "" || field.value === undefined ? [] : [usual === "required" ? usual : `default: ${usual}`]),
      ...(field.env === undefined ? [] : [`env ${field.env}`]),
    ];
    const note = notes.join("; ");
    const text = note === "" ? field.description : `${field.description} (${note})`;
    command.option([field.flag, field.value].filter(Boolean).join(" "), text);
  }
  return command;
}
