import { rmSync } from "node:fs";
import path from "node:path";
import { sleep } from "@gpuchain/sdk/daemon";
import { type Arena, copyJournal, type Party, skewedClock } from "./arena.ts";
import { fill, free } from "./disk.ts";
import type { Fault, Target } from "./plan.ts";
import type { Random } from "./random.ts";
import type { Watcher } from "./watcher.ts";

export interface Applied {
  /** providers whose eviction this fault excuses, by address */
  readonly excused: readonly string[];
  /** why it was left out, in words */
  readonly skipped?: string;
}

/** Waits for the fault's moment, makes it happen, and takes it back after its time. */
export async function applyFault(arena: Arena, watcher: Watcher, fault: Fault, random: Random): Promise<Applied> {
  const missing =
    fault.kind === "diskFull" ? arena.lacking.disk : fault.kind === "clock" ? arena.lacking.clock : undefined;
  if (missing !== undefined) return { excused: [], skipped: missing };
  await watcher.reach(fault.when);
  await sleep(fault.delayMs);
  if (fault.kind === "reorg") {
    await arena.network.chain.test.request({ method: "anvil_reorg", params: [fault.depth, []] } as never);
    return { excused: [] };
  }
  const parties = targets(arena, watcher, fault.target, random);
  const done = parties.map((party) => {
    const act = party.turn.then(() => meet(arena, watcher, fault, party));
    // The next fault on this party waits for this one, also where this one failed.
    party.turn = act.catch(() => undefined);
    return act;
  });
  await Promise.all(done);
  return { excused: excusedBy(arena, fault, parties) };
}

/** A provider that is dead, stopped, or cannot be heard by two seats may be evicted; nobody else may. */
function excusedBy(arena: Arena, fault: Fault, parties: readonly Party[]): string[] {
  const providers = (of: readonly Party[]) =>
    of.filter(({ role }) => role === "provider").map(({ address }) => address);
  switch (fault.kind) {
    case "kill":
    case "stop":
    case "oldJournal":
    case "sameKey":
    case "clock":
      return providers(parties);
    case "cut":
      return parties.length >= 2 ? providers(arena.parties) : [];
    default:
      return [];
  }
}

function targets(arena: Arena, watcher: Watcher, target: Target, random: Random): Party[] {
  const providers = arena.parties.filter(({ role }) => role === "provider");
  const seats = random.shuffle(arena.parties.filter(({ role }) => role === "verifier"));
  const holder = providers.find(({ address }) => address === watcher.holder) ?? random.pick(providers);
  switch (target) {
    case "client":
      return arena.parties.filter(({ role }) => role === "client");
    case "holder":
      return [holder];
    case "standby":
      return providers.filter((party) => party !== holder).slice(0, 1);
    case "seat":
      return seats.slice(0, 1);
    case "twoSeats":
      return seats.slice(0, 2);
    case "allSeats":
      return seats;
    case "everyone":
      return [...arena.parties];
  }
}

async function meet(
  arena: Arena,
  watcher: Watcher,
  fault: Exclude<Fault, { kind: "reorg" }>,
  party: Party,
): Promise<void> {
  const { lastsMs } = fault;
  const directory = party.dataDir;
  switch (fault.kind) {
    case "kill":
      await arena.kill(party);
      await sleep(lastsMs);
      return arena.revive(party);
    case "stop":
      party.process.signal("SIGSTOP");
      await sleep(lastsMs);
      party.process.signal("SIGCONT");
      return;
    case "cut":
      party.gateway?.cut();
      await sleep(lastsMs);
      party.gateway?.heal();
      return;
    case "slow":
      party.gateway?.slow(500);
      await sleep(lastsMs);
      party.gateway?.heal();
      return;
    case "rpc":
      party.rpc.trouble(fault.trouble);
      await sleep(lastsMs);
      party.rpc.heal();
      return;
    case "diskFull":
      fill(directory);
      await sleep(lastsMs);
      free(directory);
      // Who ends on a full disk has said why; its owner makes room and starts it again.
      if (!party.process.running()) await arena.revive(party);
      return;
    case "clock":
      await arena.kill(party);
      party.skewed = true;
      return arena.revive(party, skewedClock(fault.offsetSeconds));
    case "oldJournal": {
      const aside = path.join(arena.network.group.directory, `${party.name}-journal`);
      await arena.kill(party);
      copyJournal(directory, aside);
      await arena.revive(party);
      await Promise.race([watcher.until(() => watcher.settled), sleep(lastsMs)]);
      await arena.kill(party);
      copyJournal(aside, directory);
      rmSync(aside, { recursive: true });
      return arena.revive(party);
    }
    case "sameKey": {
      const twin = await arena.startTwin(party);
      await sleep(lastsMs);
      twin?.process.signal("SIGKILL");
      await twin?.process.exited;
      return;
    }
  }
}
