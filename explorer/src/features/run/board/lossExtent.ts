import type { Steps } from "../model/steps.ts";

export interface LossExtent {
  readonly low: number;
  readonly high: number;
}

export const LOSS_PADDING = { top: 8, bottom: 4 } as const;

/** The whole run's range of losses, with a little air above; it starts at zero unless that would flatten the curve. */
export function lossExtent(steps: Steps): LossExtent | undefined {
  if (steps.length === 0) return undefined;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < steps.length; i++) {
    const loss = steps.loss[i] as number;
    if (!Number.isFinite(loss)) continue;
    min = Math.min(min, loss);
    max = Math.max(max, loss);
  }
  if (!Number.isFinite(max)) return undefined;
  const low = min > 0 && min < max / 2 ? 0 : min;
  return { low, high: max + (max - low) * 0.06 || 1 };
}

/** Loss to a pixel from the chart's top. */
export function lossToPixel({ low, high }: LossExtent, height: number): (loss: number) => number {
  const bottom = height - LOSS_PADDING.bottom;
  return (loss) => bottom - ((loss - low) / (high - low)) * (bottom - LOSS_PADDING.top);
}

/** Round losses to rule the chart at, three to seven of them. */
export function lossTicks({ low, high }: LossExtent): number[] {
  const raw = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(raw));
  const size = power * ([1, 2, 2.5, 5].find((n) => n * power >= raw) ?? 10);
  const first = Math.ceil(low / size - 1e-9);
  const count = Math.floor(high / size + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, i) => Number(((first + i) * size).toPrecision(12)));
}
