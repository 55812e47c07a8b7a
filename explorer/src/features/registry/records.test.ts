import { type Device, encodeDevice } from "@gpuchain/sdk/records";
import { expect, test } from "vitest";
import type { ChainEvent } from "../../chain/chainEvent.ts";
import { makeRecording } from "../../testing/makeRecording.ts";
import { deviceOf, registryRecords, reliability } from "./records.ts";

const recording = makeRecording();
const address = (name: string) => recording.parties.find((p) => p.name === name)?.address ?? "";
const event = (name: string, args: ChainEvent["args"]): ChainEvent => ({
  contract: "Registry",
  name,
  args,
  block: 1,
  timestamp: 1,
  tx: "0x",
  logIndex: 0,
});
const registrations = [
  ...["A", "P", "B"].map((name) =>
    event("ProviderRegistered", {
      provider: address(name),
      payout: address(name),
      profile: { name, pricePerStep: "1000", metadata: '{"device":"RTX 3060"}' },
    }),
  ),
  ...[1, 2, 3].map((n) =>
    event("VerifierRegistered", {
      verifier: address(`Seat ${n}`),
      verifierId: n,
      profile: { endpoint: "http://x", minFee: "1" },
    }),
  ),
];
const run = recording.timeline.filter((e) => e.kind === "event").map((e) => ({ ...e, timestamp: e.timestamp }));
const { providers, verifiers } = registryRecords([...registrations, ...run]);

test("a provider's record counts what was accepted, refused, dropped and paid", () => {
  expect(providers.map((p) => [p.name, p.stepsAccepted, p.stepsRefused, p.dropped, p.refused, p.earned])).toEqual([
    ["A", 150, 0, 1, 0, 150_000n],
    ["P", 0, 50, 0, 1, 0n],
    ["B", 250, 0, 0, 0, 750_000n],
  ]);
  expect(providers.map(reliability)).toEqual([0, 0, 1]);
});

test("a verifier's record counts votes, disagreements and fees", () => {
  expect(verifiers.map((v) => [v.votes, v.disagreements, v.earned])).toEqual([
    [9, 0, 80_000n],
    [9, 0, 80_000n],
    [8, 0, 80_000n],
  ]);
});

test("a device is read from what a node registers only, as text, and never longer than a line", () => {
  const device: Device = { kind: "cpu", model: "EPYC", cores: 4, memoryMb: 1, runtime: "native", threads: 2 };
  expect(deviceOf(encodeDevice(device))).toBe("EPYC, 2 of 4 cores, on native");
  expect(deviceOf(encodeDevice({ ...device, kind: "gpu", model: "RTX 3060", runtime: "webgpu" }))).toBe(
    "RTX 3060, on webgpu",
  );
  expect(deviceOf("<script>")).toBeUndefined();
  const long = deviceOf(encodeDevice({ ...device, model: "x".repeat(500), runtime: "y".repeat(500) }));
  expect(long?.length).toBeLessThan(120);
});
