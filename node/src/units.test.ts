import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { configTable } from "./config.ts";

const folder = join(import.meta.dirname, "../../ops");
const unit = (name: string) => readFileSync(join(folder, "systemd", `${name}.service`), "utf8");

it("the unit's settings are settings, and it gives a drain its time", () => {
  const known = new Set<string>(Object.values(configTable).map(({ env }) => env));
  const text = `${unit("gpuchain-node")}\n${readFileSync(join(folder, "README.md"), "utf8")}`;
  const named = new Set(text.match(/GPUCHAIN_(?!VERIFIER|SENTRY)\w+(?==)/g));
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
  const stop = Number(/TimeoutStopSec=(\d+)/.exec(unit("gpuchain-node"))?.[1]);
  expect(stop).toBeGreaterThan(configTable.drainSeconds.default + 20);
});

const analyse = spawnSync("systemd-analyze", ["--version"]).error === undefined;
if (!analyse) process.stderr.write("SKIPPED: systemd units are not checked: systemd-analyze is missing\n");
it.skipIf(!analyse).each(["gpuchain-node", "gpuchain-verifier"])("%s is a unit that systemd understands", (name) => {
  const { stderr, stdout } = spawnSync("systemd-analyze", ["verify", join(folder, "systemd", `${name}.service`)], {
    encoding: "utf8",
  });
  // Whether the machine at hand has systemd's own targets or the user is not the unit's fault.
  const faults = `${stdout}${stderr}`
    .split("\n")
    .filter((line) => line.includes(`${name}.service`) && /Unknown|Invalid|Failed to parse|bad/i.test(line));
  expect(faults).toEqual([]);
});
