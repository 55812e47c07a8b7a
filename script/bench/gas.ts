import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/root.ts";
import type { Section } from "./section.ts";

/** The contracts' committed gas snapshots: whole cold transactions as an L2 bills them; `npm run gas` measures and checks them. */
export async function gasTable(): Promise<Section[]> {
  const file = path.join(root, "contracts/snapshots/gas.json");
  const data = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  const rows = Object.entries(data).map(([call, gas]): [string, string] => [call, Number(gas).toLocaleString("en-US")]);
  return [{ title: "gas of each call (snapshots, 21k base and calldata included)", rows, data }];
}
