import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { LoadNetwork } from "./loadNetwork.ts";

/** Times in milliseconds where a name does not say otherwise. */
export interface DatabaseFigures {
  /** from the first fetched block to the last event in the database, as Ponder counts it */
  backfill: { events: number; seconds: number; eventsPerSecond: number; cpuSeconds: number; startSeconds: number };
  query: { jobPage: number[]; provider: number[]; journal: number[] };
  /** mined to told by server-sent event, and visible in a query */
  live: number[];
  idle: { seconds: number; cpuShare: number };
  /** most memory the process ever held */
  memoryMb: number;
}

const JOB_PAGE = `query ($id: BigInt!) { job(id: $id) {
  status budget locked providerPay refund clientAccount { address } template { name }
  timeline(orderBy: "seq", limit: 200) { items { seq name timestamp txHash args } }
  leases { items { fence cause pricePerStep acquiredAt endedAt paid holder { name } } }
  checkpoints(orderBy: "id", limit: 50) { items { id step status score stateHash whyUnpaid { reason text until }
    votes(limit: 4) { items { verifier outcome agreed score } } payouts(limit: 4) { items { kind party amount } } } }
  payouts(limit: 100) { items { kind account amount } } seats { items { seat verifier } } slashings { items { kind amount } }
} }`;
const PROVIDER = `query ($address: String!) { provider(address: $address) { name stepsAccepted stepsRefused handOvers leaseSeconds
  earned days(limit: 30) { items { day earned } } leases(orderBy: "seq", orderDirection: "desc", limit: 20) { items { jobId cause paid } } } }`;
const JOURNAL = `query ($after: String) { journals(orderBy: "seq", orderDirection: "desc", limit: 100, after: $after) {
  items { seq name args timestamp } pageInfo { endCursor } } }`;
const QUERIES = 300;
/** A ledger runs for days: what it costs until its code is compiled is not what a page takes. */
const WARM_UP = 100;
const LIVE_EVENTS = 40;
const IDLE_SECONDS = 20;
const IDLE_BLOCK_MS = 2_000;
const TICKS_PER_SECOND = 100;

/** Starts the indexer on a chain full of events and measures it, to its end. */
export async function benchDatabase({
  entry,
  env,
  network,
  emit,
}: {
  entry: string;
  env: NodeJS.ProcessEnv;
  network: LoadNetwork;
  /** puts one event into the next block */
  emit: (index: number) => Promise<void>;
}): Promise<DatabaseFigures> {
  const spawned = performance.now();
  const child = spawn(process.execPath, [entry], {
    env: { ...env, LOG_FORMAT: "json" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const backfillTimes = { from: 0, to: 0, cpuFrom: 0, cpuTo: 0 };
    const url = await new Promise<string>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`the indexer ended with ${code}`)));
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line.includes("Started backfill indexing")) {
          [backfillTimes.from, backfillTimes.cpuFrom] = [performance.now(), cpuSeconds(child)];
        }
        if (line.includes("Completed backfill indexing")) {
          [backfillTimes.to, backfillTimes.cpuTo] = [performance.now(), cpuSeconds(child)];
        }
        if (line.includes('"indexer.ready"')) resolve((JSON.parse(line) as { url: string }).url);
      });
    });
    const query = async <T>(text: string, variables: Record<string, unknown> = {}): Promise<T> => {
      const response = await fetch(`${url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query: text, variables }),
      });
      const { data, errors } = (await response.json()) as { data: T; errors?: { message: string }[] };
      if (errors) throw new Error(errors[0]?.message);
      return data;
    };
    const { total } = await query<{ total: { events: number; jobs: number } }>("{ total(id: 1) { events jobs } }");
    const seconds = (backfillTimes.to - backfillTimes.from) / 1000;
    const timed = async (text: string, variables: (index: number) => Record<string, unknown>) => {
      const times: number[] = [];
      for (let i = 0; i < WARM_UP; i++) await query(text, variables(i));
      for (let i = WARM_UP; i < WARM_UP + QUERIES; i++) {
        const started = performance.now();
        await query(text, variables(i));
        times.push(performance.now() - started);
      }
      return times;
    };
    const provider = network.providers[0]?.address.toLowerCase();
    await auditCaughtUp(url, network);
    const jobPage = await timed(JOB_PAGE, (i) => ({ id: String(1 + ((i * 37) % total.jobs)) }));
    const providerTimes = await timed(PROVIDER, () => ({ address: provider }));
    const journal = await timed(JOURNAL, () => ({ after: null }));
    const live = await measureLive(url, emit, query);
    const idle = await measureIdle(child, network);
    return {
      backfill: {
        ...{ events: total.events, seconds, eventsPerSecond: total.events / seconds },
        cpuSeconds: backfillTimes.cpuTo - backfillTimes.cpuFrom,
        startSeconds: (backfillTimes.from - spawned) / 1000,
      },
      query: { jobPage, provider: providerTimes, journal },
      ...{ live, idle, memoryMb: peakMemoryMb(child) },
    };
  } finally {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await gone;
    }
  }
}

/** The value below which the given share of a sample lies. */
export function quantile(sample: readonly number[], share: number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The self-audit reads the whole history once after a start; what it costs then is not what it costs for good. */
async function auditCaughtUp(url: string, network: LoadNetwork): Promise<void> {
  for (let state = "starting"; state !== "ok"; ) {
    await network.block();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    ({ state } = (await (await fetch(`${url}/api/audit`)).json()) as { state: string });
    if (state === "failing") throw new Error("the self-audit fails");
  }
}

async function measureLive(
  url: string,
  emit: (index: number) => Promise<void>,
  query: <T>(text: string) => Promise<T>,
): Promise<number[]> {
  const stream = await fetch(`${url}/live`, { headers: { accept: "text/event-stream" } });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error("no live updates");
  const times: number[] = [];
  for (let i = 0; i < LIVE_EVENTS; i++) {
    await emit(i);
    const mined = performance.now();
    for (let text = ""; !text.includes("event: journal"); ) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the live updates ended");
      text += value;
    }
    await query("{ total(id: 1) { events } }");
    times.push(performance.now() - mined);
  }
  await reader.cancel();
  return times;
}

/** Blocks without events every two seconds, as on a quiet network. */
async function measureIdle(child: ChildProcess, network: LoadNetwork): Promise<DatabaseFigures["idle"]> {
  const before = cpuSeconds(child);
  const started = performance.now();
  while (performance.now() - started < IDLE_SECONDS * 1000) {
    await network.block();
    await new Promise((resolve) => setTimeout(resolve, IDLE_BLOCK_MS));
  }
  const seconds = (performance.now() - started) / 1000;
  return { seconds, cpuShare: (cpuSeconds(child) - before) / seconds };
}

function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function peakMemoryMb({ pid }: ChildProcess): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}
