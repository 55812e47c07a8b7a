// One event on its way into the tables: what a handler says about it is collected here and written once at the end.
import { jsonArgs, type LedgerEvent, nextDigest } from "./events.ts";
import type { Bucket, Hex } from "./rows.ts";
import type { Store } from "./store.ts";
import type { Key, Row, TableName, Tables } from "./tables.ts";
import { emptyAccount, emptyDay, emptyProviderDay, emptyTotal, emptyVerifierDay } from "./zero.ts";

type Numbers<T> = { [K in keyof T as T[K] extends number | bigint ? K : never]?: T[K] };

/** What handlers write with. */
export class Entry {
  readonly store: Store;
  readonly event: LedgerEvent;
  readonly seq: number;
  readonly block: number;
  readonly now: number;
  readonly day: number;
  jobId: bigint | null = null;
  checkpointId: bigint | null = null;
  fence: number | null = null;
  account: Hex | null = null;
  private readonly before: Readonly<Tables["total"]>;
  private readonly totals: Numbers<Tables["total"]> = {};
  private readonly days: Numbers<Tables["day"]> = {};
  private readonly mentions = new Map<Hex, string>();
  private line = 0;

  private constructor(store: Store, event: LedgerEvent, before: Readonly<Tables["total"]>) {
    this.store = store;
    this.event = event;
    this.before = before;
    this.seq = before.events + 1;
    this.block = event.block.number;
    this.now = event.block.timestamp;
    this.day = Math.floor(event.block.timestamp / 86_400);
  }

  static async open(store: Store, event: LedgerEvent): Promise<Entry> {
    let before = await store.find("total", { id: 1 });
    if (before === undefined) {
      before = emptyTotal();
      await store.insert("total", emptyTotal());
    }
    const entry = new Entry(store, event, before);
    entry.mentionAll(event.args, "");
    return entry;
  }

  /** The row, which must exist: the contracts emit nothing about what they do not know. */
  async get<T extends TableName>(table: T, key: Key<T>): Promise<Readonly<Row<T>>> {
    const row = await this.store.find(table, key);
    if (row === undefined) throw new Error(`${this.event.name} #${this.seq} names an unknown ${table}`);
    return row;
  }

  async edit<T extends TableName>(table: T, key: Key<NoInfer<T>>, change: Change<NoInfer<T>>): Promise<void> {
    await this.store.update(table, key, (row) => ({
      ...(typeof change === "function" ? change(row) : change),
      block: this.block,
    }));
  }

  /** Inserts, or changes what is there. */
  async put<T extends TableName>(table: T, row: Row<NoInfer<T>>, change: Change<NoInfer<T>>): Promise<void> {
    if ((await this.store.find(table, row)) === undefined) await this.store.insert(table, row);
    else await this.edit(table, row, change);
  }

  /** Adds to the sums over everything. */
  total(change: Numbers<Tables["total"]>): void {
    add(this.totals, change);
  }

  /** Adds to the sums of this event's day. */
  today(change: Numbers<Tables["day"]>): void {
    add(this.days, change);
  }

  async providerToday(provider: Hex, change: Numbers<Tables["providerDay"]>): Promise<void> {
    const row = { ...emptyProviderDay(provider, this.day), block: this.block };
    await this.put("providerDay", { ...row, ...change }, (old) => sums(old, change));
  }

  async verifierToday(verifier: Hex, change: Numbers<Tables["verifierDay"]>): Promise<void> {
    const row = { ...emptyVerifierDay(verifier, this.day), block: this.block };
    await this.put("verifierDay", { ...row, ...change }, (old) => sums(old, change));
  }

  /** Says that the event concerns an address that is not among its arguments. */
  mention(address: Hex, role: string): void {
    if (!this.mentions.has(address) && !/^0x0+$/.test(address)) this.mentions.set(address, role);
  }

  /** Changes an account's figures, making the account when it is new. */
  async accountChange(address: Hex, change: Numbers<Tables["account"]>): Promise<Readonly<Tables["account"]>> {
    const row = { ...emptyAccount(address), firstSeq: this.seq, block: this.block };
    await this.put("account", { ...row, ...change }, (old) => sums(old, change));
    return this.get("account", { address });
  }

  /**
   * Moves money: `from` loses and `to` gains `amount`. Both sides are postings, so that every event sums to zero.
   * A side without an account is a job's budget.
   */
  async move(kind: string, amount: bigint, from: Side, to: Side, jobId: bigint | null): Promise<void> {
    if (amount === 0n) return;
    await this.post(kind, -amount, from, jobId);
    await this.post(kind, amount, to, jobId);
  }

  private async post(kind: string, amount: bigint, side: Side, jobId: bigint | null): Promise<void> {
    const { bucket } = side;
    const account = side.account ?? null;
    const row = { bucket, account, jobId, kind, amount, block: this.block, timestamp: this.now };
    await this.store.insert("posting", { seq: this.seq, line: this.line++, ...row });
    if (bucket === "locked") {
      if (jobId === null) throw new Error("locked money belongs to a job");
      // A budget is locked before its job is there; posting then writes it down.
      if (kind !== "Budget") await this.edit("job", { id: jobId }, (job) => ({ locked: job.locked + amount }));
      this.total({ locked: amount });
    } else if (bucket === "claimable" && account) {
      await this.accountChange(account, { claimable: amount });
      this.total({ claimable: amount });
    } else if (bucket === "bond" && account) {
      await this.accountChange(account, { bond: amount });
      this.total({ bonds: amount });
    }
  }

  /** Writes the journal row, the mentions and the sums. */
  async close(): Promise<void> {
    const { event, store, seq, block, now: timestamp, jobId } = this;
    const digest = nextDigest(this.before.digest, event);
    await store.insert("journal", {
      ...{ seq, block, timestamp, txHash: event.transaction.hash, txFrom: event.transaction.from },
      ...{ logIndex: event.log.index, contract: event.contract, name: event.name },
      ...{ jobId, checkpointId: this.checkpointId, fence: this.fence, account: this.account },
      ...{ args: jsonArgs(event.args), digest },
    });
    for (const [address, role] of this.mentions) {
      await store.insert("mention", { address, seq, role, jobId, block, timestamp });
    }
    await this.put("day", { ...emptyDay(this.day), ...this.days, events: 1, block }, (old) =>
      sums(old, { ...this.days, events: 1 }),
    );
    await this.edit("total", { id: 1 }, (old) => ({ ...sums(old, this.totals), events: seq, digest, timestamp }));
  }

  private mentionAll(value: unknown, role: string): void {
    if (typeof value === "string") {
      if (/^0x[0-9a-f]{40}$/.test(value)) this.mention(value as Hex, role);
    } else if (Array.isArray(value)) {
      for (const inner of value) this.mentionAll(inner, role);
    } else if (value !== null && typeof value === "object") {
      for (const [key, inner] of Object.entries(value)) this.mentionAll(inner, key);
    }
  }
}

/** New values of some columns, or how they follow from the row. */
export type Change<T extends TableName> = Partial<Row<T>> | ((row: Readonly<Row<T>>) => Partial<Row<T>>);

/** One end of a movement of money. */
export interface Side {
  bucket: Bucket;
  account?: Hex;
}

function add<T extends object>(into: T, change: T): void {
  Object.assign(into, sums(into, change));
}

/** The named figures, added up. */
function sums<T extends object>(old: T, change: object): Partial<T> {
  const result: Record<string, number | bigint> = {};
  for (const [key, value] of Object.entries(change)) {
    const before = (old as Record<string, unknown>)[key];
    if (typeof value === "bigint") result[key] = (typeof before === "bigint" ? before : 0n) + value;
    else if (typeof value === "number") result[key] = (typeof before === "number" ? before : 0) + value;
  }
  return result as Partial<T>;
}
