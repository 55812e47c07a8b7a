import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@gpuchain/sdk/daemon";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OwnerLimits, type OwnerLimitsParameters, watchOwnerLimits } from "./ownerLimits.ts";
import { gpuName, readGpu } from "./readGpu.ts";
import { describeHours, isWorkingTime, parseHours } from "./workingHours.ts";

describe("working hours", () => {
  const at = (clock: string) => new Date(`2026-05-01T${clock}:00`);
  it("run over midnight, and end when they say", () => {
    const hours = parseHours("22:00-07:00,12:30-13");
    expect(
      ["21:59", "22:00", "03:00", "06:59", "07:00", "12:30", "13:00"].map((clock) => isWorkingTime(hours, at(clock))),
    ).toEqual([false, true, true, true, false, true, false]);
    expect(describeHours(hours)).toBe("22:00-07:00, 12:30-13:00");
  });
  it.each(["", "9", "9-9", "25-7", "8:75-9", "a-b"])("refuse %j", (text) => {
    expect(() => parseHours(text)).toThrow(/expected hours/);
  });
});

/** A program that answers as the driver's tool does, with what the test wrote down. */
describe("the card", () => {
  let folder: string;
  let tool: string;
  let limits: OwnerLimits | undefined;
  const answer = (card: string, programs = "") => {
    writeFileSync(join(folder, "card"), `${card}\n`);
    writeFileSync(join(folder, "programs"), programs);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "card-"));
    tool = join(folder, "tool");
    writeFileSync(
      tool,
      `#!/bin/sh\ncase "$1" in --query-gpu=*) cat "${folder}/card";; *) cat "${folder}/programs";; esac\n`,
    );
    chmodSync(tool, 0o755);
    answer("41, 60.5, 24576");
  });
  afterEach(() => {
    limits?.close();
    limits = undefined;
    rmSync(folder, { recursive: true });
  });
  const lines: { event?: string; msg: string }[] = [];
  const watch = async (parameters: Partial<OwnerLimitsParameters>) => {
    lines.length = 0;
    let changed: () => void = () => undefined;
    const state = {
      next: () =>
        new Promise<void>((resolve) => {
          changed = resolve;
        }),
    };
    limits = await watchOwnerLimits({
      yieldGpu: false,
      computePid: () => 4242,
      read: () => readGpu(tool),
      log: createLogger({ name: "node", json: true, destination: { write: (line) => lines.push(JSON.parse(line)) } }),
      onChange: () => changed(),
      onTooLarge: () => undefined,
      everyMs: 20,
      ...parameters,
    });
    return state;
  };

  it("is read with what it tells, and without what it does not", async () => {
    answer("41, 60.52, 24576", "4242, 512\n77, [N/A]\n");
    expect(await readGpu(tool)).toEqual({
      celsius: 41,
      watts: 60.52,
      memoryTotalMb: 24576,
      programs: [
        { pid: 4242, memoryMb: 512 },
        { pid: 77, memoryMb: undefined },
      ],
    });
    answer("[N/A], [Not Supported], 24576");
    expect(await readGpu(tool)).toMatchObject({ celsius: undefined, watts: undefined });
    answer("NVIDIA GeForce RTX 3060");
    expect(await gpuName(tool)).toBe("NVIDIA GeForce RTX 3060");
    await expect(gpuName(join(folder, "no-such-tool"))).rejects.toThrow();
  });

  it("rests above its ceiling until it is well below", async () => {
    const state = await watch({ maxCelsius: 80 });
    expect(limits?.reason).toBeUndefined();
    const held = state.next();
    answer("83, 200, 24576");
    await held;
    expect(limits?.reason).toBe("the card's temperature is 83 °C, the ceiling 80 °C");
    const freed = state.next();
    answer("70, 200, 24576");
    await freed;
    expect(limits?.reason).toBeUndefined();
    expect(lines.map(({ event }) => event)).toEqual(["limits.held", "limits.clear"]);
  });

  it("is left to other programs for a while after they were last seen", async () => {
    answer("41, 60, 24576", "4242, 512\n");
    // A clock on which five seconds pass from one look to the next.
    let time = Date.parse("2026-05-01T12:00:00");
    const now = () => {
      time += 5_000;
      return new Date(time);
    };
    const state = await watch({ yieldGpu: true, now });
    expect(limits?.reason).toBeUndefined();
    const held = state.next();
    answer("41, 60, 24576", "4242, 512\n9000, 1024\n");
    await held;
    expect(limits?.reason).toBe("another program uses the card");
    const freed = state.next();
    const before = time;
    answer("41, 60, 24576", "4242, 512\n");
    await freed;
    // Thirty seconds after the look that saw them, which was one tick of this clock before the word of it.
    expect(time - before).toBeGreaterThanOrEqual(25_000);
    expect(limits?.reason).toBeUndefined();
  });

  it("gives training its share of the memory and no more", async () => {
    answer("41, 60, 10000", "4242, 5200\n");
    const told: string[] = [];
    await watch({ memoryShare: 0.5, onTooLarge: (reason) => told.push(reason) });
    expect(told[0]).toBe("training takes 5200 MiB of the card, its share is 5000");
  });

  it("that tells nothing, or is not there, is said once and stops nobody", async () => {
    answer("[N/A], 60, 24576");
    await watch({ maxCelsius: 80 });
    expect(limits?.reason).toBeUndefined();
    expect(lines.map(({ msg }) => msg)).toEqual([
      "this device does not tell its temperature: that ceiling is not watched",
    ]);
    limits?.close();
    await watch({ maxCelsius: 80, read: () => readGpu(join(folder, "no-such-tool")) });
    expect(limits?.reason).toBeUndefined();
    expect(lines).toHaveLength(1);
    expect(lines[0]?.msg).toMatch(/^no card is watched: /);
  });

  it("does not matter out of working hours", async () => {
    await watch({ hours: parseHours("22-7"), now: () => new Date("2026-05-01T12:00:00") });
    expect(limits?.reason).toBe("it works at 22:00-07:00 only");
  });
});
