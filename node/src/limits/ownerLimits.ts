import type { Logger } from "@gpuchain/sdk/daemon";
import { type GpuReading, readGpu } from "./readGpu.ts";
import { describeHours, type HourSpan, isWorkingTime } from "./workingHours.ts";

export interface OwnerLimitsParameters {
  /** when the node may work; left out: always */
  readonly hours?: readonly HourSpan[] | undefined;
  readonly maxCelsius?: number | undefined;
  readonly maxWatts?: number | undefined;
  /** share of the card's memory that training may take, 0 to 1 */
  readonly memoryShare?: number | undefined;
  /** let other programs have the card */
  readonly yieldGpu: boolean;
  /** the training process, whose own use of the card counts for nobody else */
  readonly computePid: () => number | undefined;
  readonly read?: () => Promise<GpuReading>;
  readonly now?: () => Date;
  readonly log: Logger;
  /** something changed */
  readonly onChange: () => void;
  /** training takes more of the card's memory than its share */
  readonly onTooLarge: (reason: string) => void;
  readonly everyMs?: number;
}

/** What the owner allows, watched while the node runs. */
export interface OwnerLimits {
  /** why the node may not work now, in words; undefined when it may */
  readonly reason: string | undefined;
  readonly gpu: GpuReading | undefined;
  close(): void;
}

const EVERY_MS = 5_000;
/** A card that was too hot or drew too much has to fall this far under the ceiling: else it would start and stop for ever. */
const SLACK = 0.93;
/** Others have to be gone this long: programs come and go. */
const YIELD_MS = 30_000;

/** Starts watching; the first look happens before this resolves. */
export async function watchOwnerLimits(parameters: OwnerLimitsParameters): Promise<OwnerLimits> {
  const { hours, maxCelsius, maxWatts, memoryShare, yieldGpu, log } = parameters;
  const read = parameters.read ?? (() => readGpu());
  const now = parameters.now ?? (() => new Date());
  const watchesGpu = maxCelsius !== undefined || maxWatts !== undefined || memoryShare !== undefined || yieldGpu;
  let reason: string | undefined;
  let gpu: GpuReading | undefined;
  let othersSeenAt = Number.NEGATIVE_INFINITY;
  const said = new Set<string>();
  const sayOnce = (text: string) => {
    if (said.has(text)) return;
    said.add(text);
    log.warn({ event: "limits.untold" }, text);
  };

  const over = (what: string, unit: string, value: number | undefined, max: number | undefined): string | undefined => {
    if (max === undefined) return undefined;
    if (value === undefined) {
      sayOnce(`this device does not tell its ${what}: that ceiling is not watched`);
      return undefined;
    }
    const ceiling = reason?.includes(what) ? max * SLACK : max;
    return value > ceiling ? `the card's ${what} is ${value} ${unit}, the ceiling ${max} ${unit}` : undefined;
  };

  const look = async (): Promise<string | undefined> => {
    if (hours !== undefined && !isWorkingTime(hours, now())) return `it works at ${describeHours(hours)} only`;
    if (!watchesGpu) return undefined;
    try {
      gpu = await read();
    } catch (error) {
      sayOnce(`no card is watched: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
      gpu = undefined;
      return undefined;
    }
    const own = new Set([process.pid, parameters.computePid()]);
    const others = gpu.programs.filter(({ pid }) => !own.has(pid));
    if (others.length > 0) othersSeenAt = now().getTime();
    const mine = gpu.programs.find(({ pid }) => pid === parameters.computePid())?.memoryMb;
    const total = gpu.memoryTotalMb;
    if (memoryShare !== undefined && total === undefined)
      sayOnce("this device does not tell its memory: its share is not watched");
    else if (memoryShare !== undefined && mine !== undefined && mine > memoryShare * (total ?? 0))
      parameters.onTooLarge(
        `training takes ${mine} MiB of the card, its share is ${Math.floor(memoryShare * (total ?? 0))}`,
      );
    return (
      over("temperature", "°C", gpu.celsius, maxCelsius) ??
      over("power", "W", gpu.watts, maxWatts) ??
      (yieldGpu && now().getTime() - othersSeenAt < YIELD_MS ? "another program uses the card" : undefined)
    );
  };

  const update = async () => {
    const next = await look();
    if (next === reason) return;
    const began = reason === undefined;
    const ended = next === undefined;
    reason = next;
    if (began || ended) {
      log.info(
        { event: ended ? "limits.clear" : "limits.held", reason: next },
        ended ? "may work again" : `holds off: ${next}`,
      );
      parameters.onChange();
    }
  };
  await update();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  /** One look after another: two at once could end in the wrong order, and the older one would have the last word. */
  const watch = (): void => {
    timer = setTimeout(async () => {
      await update().catch((error: unknown) => log.warn({ err: error }, "the owner's limits could not be looked at"));
      if (!closed) watch();
    }, parameters.everyMs ?? EVERY_MS);
    timer.unref();
  };
  if (hours !== undefined || watchesGpu) watch();
  return {
    get reason() {
      return reason;
    },
    get gpu() {
      return gpu;
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
