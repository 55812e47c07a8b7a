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

const two = (payout: string) => [
  ...["A", "B"].map((name) =>
    event("ProviderRegistered", { provider: `0x${name}`, payout, profile: { name, pricePerStep: "1", metadata: "" } }),
  ),
  event("LeaseAcquired", { jobId: "1", fence: 1, provider: "0xA" }),
];
const id = (index: number) => String((1n << 32n) | BigInt(index));
const committed = (index: number, step: number) =>
  event("CheckpointCommitted", { checkpointId: id(index), parentId: id(index - 1), jobId: "1", fence: 1, step });
const decided = (name: string, index: number) =>
  event(name, { checkpointId: id(index), jobId: "1", provider: "0xA", step: 50 * index, pay: "50" });
const record = (events: ChainEvent[], name = "A") =>
  registryRecords(events).providers.find((provider) => provider.name === name);

test("pay is whose work it was, whatever wallets share it", () => {
  const events = [...two("0xw"), committed(1, 50), decided("CheckpointAccepted", 1)];
  events.push(event("CheckpointPaid", { checkpointId: id(1), payout: "0xw", pay: "50" }));
  events.push(event("Credited", { account: "0xw", kind: 0, amount: "50", jobId: "1" }));
  expect([record(events)?.earned, record(events, "B")?.earned]).toEqual([50n, 0n]);
});

test("a lease that was dropped and whose work was then refused went wrong once; overturned, it was only dropped", () => {
  const events = [...two("0xw"), committed(1, 50)];
  events.push(
    event("LeaseEnded", { jobId: "1", fence: 1, provider: "0xA", cause: 4 }),
    decided("CheckpointRefused", 1),
  );
  expect(record(events)).toMatchObject({ leases: 1, dropped: 0, refused: 1, stepsRefused: 50 });
  events.push(event("RefusalOverturned", { checkpointId: id(1), jobId: "1" }));
  expect(record(events)).toMatchObject({ leases: 1, dropped: 1, refused: 0, stepsRefused: 0 });
});

test("what the arbiter cuts is no accepted work; whoever left is gone, and back when it registers anew", () => {
  const events = [...two("0xw"), committed(1, 50), committed(2, 100)];
  events.push(decided("CheckpointAccepted", 1), decided("CheckpointAccepted", 2));
  events.push(event("ChainCut", { jobId: "1", fromId: id(2), headId: id(1) }));
  expect(record(events)?.stepsAccepted).toBe(50);
  events.push(event("ExitRequested", { account: "0xA" }));
  expect(record(events)?.exiting).toBe(true);
  events.push(event("Exited", { account: "0xA" }));
  expect(record(events)).toMatchObject({ exiting: false, accepting: false });
  expect(record([...events, ...two("0xw")])).toMatchObject({ exiting: false, accepting: true });
});
