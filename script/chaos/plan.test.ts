import { describe, expect, it } from "vitest";
import { describeFault, type Fault, MOMENTS, storyOf } from "./plan.ts";

const faultsOf = (seed: number, stories: number): Fault[] =>
  Array.from({ length: stories }, (_, index) => storyOf(seed, index).faults).flat();

describe("sixty stories", () => {
  it.each([1, 2, 3])("of seed %i hold every fault, every trouble of an RPC, and a kill of every party", (seed) => {
    const faults = faultsOf(seed, 60);
    const kinds = new Set(faults.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(
      ["clock", "cut", "diskFull", "kill", "oldJournal", "reorg", "rpc", "sameKey", "slow", "stop"].sort(),
    );
    const troubles = faults.flatMap((fault) => (fault.kind === "rpc" ? [fault.trouble] : []));
    expect([...new Set(troubles)].sort()).toEqual(
      ["drop", "lag", "limit", "refuse", "reorder", "repeat", "stall"].sort(),
    );
    const killed = faults.flatMap((fault) => (fault.kind === "kill" ? [fault.target] : []));
    expect([...new Set(killed)].sort()).toEqual(
      ["allSeats", "client", "everyone", "holder", "seat", "standby", "twoSeats"].sort(),
    );
    expect(new Set(faults.map(({ when }) => when.at))).toEqual(new Set(MOMENTS));
  });

  it("are the same however many are played, and others for another seed", () => {
    const told = (seed: number, index: number) => storyOf(seed, index).faults.map(describeFault).join();
    expect(told(1, 7)).toBe(told(1, 7));
    const one = Array.from({ length: 20 }, (_, index) => told(1, index));
    const two = Array.from({ length: 20 }, (_, index) => told(2, index));
    expect(new Set([...one, ...two]).size).toBeGreaterThan(35);
  });
});
