import type { Runtime } from "@gpuchain/sdk/training";
import type { RuntimeEntry } from "@gpuchain/sdk/training/runtimes";

/**
 * One line of `gpuchain-node devices`: how fast a runtime is here, or why it cannot be used.
 *
 * @param measure steps per second on a runtime; what it throws is the reason
 */
export async function runtimeLine(
  entry: RuntimeEntry,
  measure: (runtime: Runtime) => Promise<number>,
): Promise<string> {
  const option = `--runtime ${entry.name.padEnd(7)}`;
  if ("unavailable" in entry) return `${option} no: ${entry.unavailable}`;
  const { device, threads } = entry.runtime;
  try {
    const speed = (await measure(entry.runtime)).toFixed(1);
    return `${option} yes, on ${device}, ${threads} thread${threads > 1 ? "s" : ""}: ${speed} steps/s`;
  } catch (error) {
    return `${option} no: ${error instanceof Error ? error.message : error}`;
  }
}
