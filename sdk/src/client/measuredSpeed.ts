import { type GpuchainClient, type GpuchainEvent, listJobs } from "../chain/index.ts";
import { fetchSpec } from "./fetchCheckpoint.ts";
import { jobHistory } from "./jobHistory.ts";

export interface MeasuredSpeedParameters {
  client: GpuchainClient;
  /** How many jobs to look back on, newest first. Default 3. */
  jobs?: number;
  signal?: AbortSignal;
}

/**
 * Floating-point operations a second that providers have shown: from one commit of a lease to the next, storing and committing included,
 * the median of each provider's last work. From the chain's clock and the specs of past jobs; a job whose spec is gone tells nothing.
 *
 * @returns by provider, in lower case
 *
 * @example
 * const speeds = await measuredSpeed({ client });
 * const fastest = Math.max(...speeds.values());
 */
export async function measuredSpeed({
  client,
  jobs = 3,
  signal,
}: MeasuredSpeedParameters): Promise<Map<string, number>> {
  const samples = new Map<string, number[]>();
  const times = new Map<bigint, number>();
  const timeOf = async (blockNumber: bigint): Promise<number> => {
    const known = times.get(blockNumber);
    if (known !== undefined) return known;
    const { timestamp } = await client.public.getBlock({ blockNumber });
    times.set(blockNumber, Number(timestamp));
    return Number(timestamp);
  };
  for (const { jobId } of await listJobs(client, { limit: jobs })) {
    const stretches = commitsOf(await jobHistory(client, jobId));
    if (stretches.length === 0) continue;
    const spec = await fetchSpec(client, jobId, signal).catch(() => undefined);
    if (spec === undefined) continue;
    for (const { provider, steps, from, to } of stretches.slice(-12)) {
      const seconds = (await timeOf(to)) - (await timeOf(from));
      // Shorter than the clock's own second: nothing to measure by.
      if (seconds < 1) continue;
      const one = samples.get(provider) ?? [];
      one.push((steps * spec.resources.flopsPerStep) / seconds);
      samples.set(provider, one);
    }
  }
  return new Map([...samples].map(([provider, speeds]) => [provider, median(speeds)]));
}

interface Stretch {
  provider: string;
  steps: number;
  from: bigint;
  to: bigint;
}

/** Each commit with the one before it in its lease: the first of a lease also holds the time to get going and is left out. */
function commitsOf(history: readonly GpuchainEvent[]): Stretch[] {
  const holders = new Map<number, string>();
  const last = new Map<number, { step: number; block: bigint }>();
  const found: Stretch[] = [];
  for (const event of history) {
    if (event.eventName === "LeaseAcquired") holders.set(event.args.fence, event.args.provider.toLowerCase());
    if (event.eventName !== "CheckpointCommitted") continue;
    const { fence, step } = event.args;
    const before = last.get(fence);
    const provider = holders.get(fence);
    if (before !== undefined && provider !== undefined && step > before.step) {
      found.push({ provider, steps: step - before.step, from: before.block, to: event.blockNumber });
    }
    last.set(fence, { step, block: event.blockNumber });
  }
  return found;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
