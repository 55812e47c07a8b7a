import { expect, it } from "vitest";
import { errorHints } from "./errorHints.ts";
import { courtAbi, escrowAbi, jobsAbi, registryAbi, testUsdcAbi } from "./generated/index.ts";

it("says what to do about every error that the contracts know, and about no other", () => {
  const abis = [...jobsAbi, ...courtAbi, ...registryAbi, ...escrowAbi, ...testUsdcAbi];
  const names = new Set(abis.flatMap((item) => (item.type === "error" ? [item.name as string] : [])));
  expect(names.size).toBeGreaterThan(80);
  expect(Object.keys(errorHints).sort()).toEqual([...names].sort());
});
