import { expect, test } from "vitest";
import { loadConfig, OFFLINE, parseConfig } from "./config.ts";

const key = `0x${"ab".repeat(32)}`;
const local = { chainId: 31337, rpc: "http://127.0.0.1:8545/", localAccounts: [{ name: "A", privateKey: key }] };

test("a local chain may offer its throw-away accounts; nobody else may", () => {
  expect(parseConfig(local).localAccounts).toHaveLength(1);
  expect(parseConfig({ ...local, chainId: 84532 }).localAccounts).toEqual([]);
  expect(parseConfig({ ...local, rpc: ["http://127.0.0.1:8545", "https://rpc.example"] }).localAccounts).toEqual([]);
});

test("addresses are checked and wrong fields named", () => {
  expect(parseConfig(local).rpc).toEqual(["http://127.0.0.1:8545"]);
  expect(() => parseConfig({ rpc: "javascript:alert(1)" })).toThrow(/rpc/);
  expect(() => parseConfig({ mode: "prod" })).toThrow(/mode/);
});

test("a site without config.json works from recordings; a broken server is said to be one", async () => {
  const answer = (status: number) => () => Promise.resolve(new Response("", { status }));
  await expect(loadConfig(answer(404))).resolves.toEqual(OFFLINE);
  await expect(loadConfig(answer(500))).rejects.toThrow(/500/);
});
