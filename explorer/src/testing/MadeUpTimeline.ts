import type { EventArg, RecordingEntry } from "@gpuchain/sdk/records";
import { hash } from "./madeUp.ts";

/** A made-up chain's time: a block every two seconds, and what happened between them, in order. */
export class MadeUpTimeline {
  readonly entries: RecordingEntry[] = [];
  protected t = 0;
  protected block = 100;
  private logIndex = 0;
  private nextBlockAt = 2_000;

  protected event(contract: string, name: string, args: Record<string, EventArg>) {
    const tx = hash(10_000 + this.block);
    this.add({
      kind: "event",
      t: this.t,
      contract,
      name,
      args,
      block: this.block,
      timestamp: this.timestamp(),
      tx,
      logIndex: this.logIndex++,
    });
  }

  protected wait(ms: number) {
    const until = this.t + ms;
    while (this.nextBlockAt <= until) this.tick();
    this.t = until;
  }

  /** Goes on to the next block, as a transaction does. */
  protected mine() {
    this.tick();
    this.t += 5;
  }

  private tick() {
    this.t = Math.max(this.t, this.nextBlockAt);
    this.block++;
    this.nextBlockAt += 2_000;
    this.logIndex = 0;
    this.add({ kind: "block", t: this.t, number: this.block, timestamp: this.timestamp() });
  }

  protected timestamp() {
    return 1_762_264_800 + 2 * (this.block - 100);
  }

  protected add(entry: RecordingEntry) {
    this.entries.push(entry);
  }
}
