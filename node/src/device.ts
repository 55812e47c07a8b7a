import { cpus, totalmem } from "node:os";
import type { Device } from "@gpuchain/sdk/records";
import type { NodeConfig } from "./config.ts";
import { gpuName } from "./limits/readGpu.ts";

/** The device that this configuration trains on. A card is named by its driver's own tool; without that, by what reaches it. */
export async function describeDevice({ runtime, threads }: Pick<NodeConfig, "runtime" | "threads">): Promise<Device> {
  const cores = cpus();
  const onCard = runtime === "webgpu" || runtime === "cuda";
  const processor = cores[0]?.model.trim() ?? "unknown";
  return {
    kind: onCard ? "gpu" : "cpu",
    model: onCard ? await gpuName().catch(() => `a card over ${runtime}`) : processor,
    cores: cores.length,
    memoryMb: Math.floor(totalmem() / 2 ** 20),
    runtime,
    threads,
  };
}
