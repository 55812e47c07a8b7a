import { cpus, totalmem } from "node:os";
import type { NodeConfig } from "./config.ts";

/** What a node says of its machine: self-reported, for clients to choose by. */
export interface Device {
  readonly kind: "cpu";
  readonly model: string;
  readonly cores: number;
  readonly memoryMb: number;
  readonly runtime: string;
  readonly threads: number;
}

/** The device that this configuration trains on. */
export function describeDevice({ runtime, threads }: Pick<NodeConfig, "runtime" | "threads">): Device {
  const cores = cpus();
  return {
    kind: "cpu",
    model: cores[0]?.model.trim() ?? "unknown",
    cores: cores.length,
    memoryMb: Math.floor(totalmem() / 2 ** 20),
    runtime,
    threads,
  };
}
