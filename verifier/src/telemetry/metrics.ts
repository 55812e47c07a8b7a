import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export interface MetricsParameters {
  readonly block: () => number;
  readonly headAgeMs: () => number;
  readonly connections: () => number;
  readonly sessions: () => number;
  readonly judging: () => number;
  readonly blobBytes: () => number;
  readonly openIntents: () => number;
  /** worst delay of a timer since the last scrape, in ms */
  readonly loopDelayMs: () => number;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Every metric of the verifier, in one place; names carry their unit. */
export function createMetrics(read: MetricsParameters) {
  const registry = new Registry();
  const registers = [registry];
  const prefix = "gpuchain_verifier_";
  collectDefaultMetrics({ register: registry, prefix });
  const gauge = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name: prefix + name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  };
  gauge("chain_block", "Newest block that was read.", read.block);
  gauge("chain_head_age_seconds", "Time since the newest head arrived.", () => read.headAgeMs() / 1000);
  gauge("pulse_connections", "Open pulse connections.", read.connections);
  gauge("sessions", "Open sessions at the gateway.", read.sessions);
  gauge("judging_checkpoints", "Checkpoints that are being judged.", read.judging);
  gauge("blob_bytes", "Bytes of the blobs that are kept.", read.blobBytes);
  gauge("transactions_open", "Transactions that are not settled yet.", read.openIntents);
  gauge(
    "timer_delay_worst_seconds",
    "Worst delay of this process's own timers since the last scrape.",
    () => read.loopDelayMs() / 1000,
  );

  const buckets = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];
  return {
    registry,
    pulseEdges: new Counter({
      name: `${prefix}pulse_edges_total`,
      help: "Pulses that came up or went down.",
      labelNames: ["edge"],
      registers,
    }),
    evictionsSigned: new Counter({
      name: `${prefix}evictions_signed_total`,
      help: "Evictions signed.",
      labelNames: ["cause"],
      registers,
    }),
    silence: new Histogram({
      name: `${prefix}eviction_silence_seconds`,
      help: "Silence of a leaseholder when its eviction was signed.",
      buckets,
      registers,
    }),
    verdicts: new Counter({
      name: `${prefix}verdicts_total`,
      help: "Checkpoints judged, by outcome.",
      labelNames: ["outcome"],
      registers,
    }),
    judging: new Histogram({
      name: `${prefix}judging_seconds`,
      help: "From the first look at a checkpoint to the judgement.",
      buckets,
      registers,
    }),
    gates: new Histogram({
      name: `${prefix}gate_seconds`,
      help: "Time a gate took.",
      labelNames: ["gate"],
      buckets,
      registers,
    }),
    requests: new Counter({
      name: `${prefix}requests_total`,
      help: "Requests at the gateway.",
      labelNames: ["method", "status"],
      registers,
    }),
  };
}
