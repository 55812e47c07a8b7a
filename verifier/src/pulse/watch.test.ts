import { createLogger } from "@gpuchain/sdk/daemon";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BookJob, BookLease, JobBook } from "../chain/jobBook.ts";
import { createPulseHub, type PulseHub } from "./hub.ts";
import { createPulseWatch, type Gone, type PulseWatch, type PulseWatchParameters } from "./watch.ts";

const HOLDER = "0xholder";

describe("pulse watch", () => {
  let hub: PulseHub;
  let lease: BookLease;
  let gone: Gone[];
  let watch: PulseWatch;
  let healthy: { ok: boolean; reason: string };
  let stallEnd: number;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
    hub = createPulseHub();
    lease = { fence: 1n, provider: HOLDER, live: true, renewals: 0, lastActionAt: 1 } as BookLease;
    gone = [];
    healthy = { ok: true, reason: "" };
    stallEnd = 0;
  });
  afterEach(() => {
    watch.close();
    vi.useRealTimers();
  });

  function start(options: Partial<PulseWatchParameters> = {}): void {
    const job = { id: 1n, terms: { pulseTimeoutMs: 500 } } as BookJob;
    const book = { active: () => [job], lease: () => lease, seatOf: () => 0 } as unknown as JobBook;
    watch = createPulseWatch({
      book,
      hub,
      stallEnd: () => stallEnd,
      health: async () => healthy,
      ready: () => true,
      blockMs: () => 1_000,
      onGone: (one) => gone.push(one),
      log: createLogger({ name: "watch", level: "silent" }),
      ...options,
    });
    watch.review();
  }
  const open = () => hub.attach(HOLDER, { send: () => undefined, close: () => undefined });
  const beat = (connection: ReturnType<typeof open>) =>
    connection.receive({
      type: "beat",
      n: 1,
      status: { standby: false, jobId: undefined, fence: undefined, step: undefined },
    });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it("calls a node gone when its closed connection is not opened again in time, and not a moment before", async () => {
    const connection = open();
    start();
    connection.closed("killed");
    await pass(499);
    expect(gone).toEqual([]);
    await pass(2);
    expect(gone).toMatchObject([{ cause: "closed", silentMs: 500 }]);
  });

  it("forgives a connection that comes back, a slow beat, a missed one", async () => {
    let connection = open();
    start();
    for (let i = 0; i < 5; i++) {
      connection.closed("network");
      await pass(400);
      connection = open();
      beat(connection);
      await pass(1_900);
      beat(connection);
    }
    expect(gone).toEqual([]);
  });

  it("calls an open, silent connection gone after four times the time", async () => {
    beat(open());
    start();
    await pass(1_999);
    expect(gone).toEqual([]);
    await pass(2);
    expect(gone).toMatchObject([{ cause: "silent" }]);
  });

  it("blames nobody for its own stall", async () => {
    const connection = open();
    start();
    connection.closed("killed");
    await pass(300);
    stallEnd = performance.now();
    await pass(499);
    expect(gone).toEqual([]);
    await pass(2);
    expect(gone).toHaveLength(1);
  });

  it("holds back while it cannot trust itself, then looks again; a node that came back meanwhile is safe", async () => {
    let connection = open();
    start();
    healthy = { ok: false, reason: "no new block" };
    connection.closed("network");
    await pass(3_000);
    expect(gone).toEqual([]);
    connection = open();
    beat(connection);
    healthy = { ok: true, reason: "" };
    await pass(1_000);
    expect(gone).toEqual([]);
    connection.closed("killed");
    await pass(501);
    expect(gone).toHaveLength(1);
  });

  it("takes a renewal on chain for a sign of life while the pulse is down", async () => {
    beat(open());
    start({ blockMs: () => 250 });
    await pass(1_900);
    lease.renewals = 1;
    watch.review();
    await pass(1_900);
    expect(gone).toEqual([]);
    await pass(200);
    expect(gone).toHaveLength(1);
  });

  it("does not take the last commit of a killed node for one, and signs again at once, since it made its signature void", async () => {
    const connection = open();
    start();
    connection.closed("killed");
    await pass(501);
    expect(gone).toHaveLength(1);
    await pass(900);
    lease.lastActionAt = 2;
    watch.review();
    await pass(1);
    expect(gone).toHaveLength(2);
    watch.review();
    await pass(4_900);
    expect(gone).toHaveLength(2);
  });

  it("signs again while the node stays gone, and stops when the lease is over", async () => {
    const connection = open();
    start();
    connection.closed("killed");
    await pass(501);
    await pass(5_001);
    expect(gone).toHaveLength(2);
    lease.live = false;
    watch.review();
    await pass(20_000);
    expect(gone).toHaveLength(2);
  });
});
