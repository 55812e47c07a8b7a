import type { JobSpec } from "../../records/index.ts";

export type AdamWOptions = JobSpec["training"]["optimizer"];

/** The numbers of one AdamW update that change by step. */
export interface AdamWStep {
  /** gradients are multiplied by this: one over the number of examples (or tokens) summed */
  readonly scale: number;
  readonly learningRate: number;
  /** steps done once this update is applied; the first is 1 */
  readonly step: number;
}

/** `base` to a whole power by repeated squaring: `Math.pow` may differ between engines, multiplication cannot. */
export function powerOf(base: number, exponent: number): number {
  let result = 1;
  let square = base;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square;
    square *= square;
  }
  return result;
}

/** Bias corrections `1 / (1 − βᵗ)` of the two moments. */
export function biasCorrections(options: AdamWOptions, step: number): { first: number; second: number } {
  return { first: 1 / (1 - powerOf(options.beta1, step)), second: 1 / (1 - powerOf(options.beta2, step)) };
}

/**
 * AdamW (Loshchilov, Hutter 2019) in place, every operation rounded to float32 in the order of the `apply` graph: the two agree bit
 * for bit.
 *
 * @param params, m, v flat float32 state, overwritten
 * @param gradSum sum of gradients over the batch
 */
export function adamw(
  params: Float32Array,
  m: Float32Array,
  v: Float32Array,
  gradSum: Float32Array,
  options: AdamWOptions,
  update: AdamWStep,
): void {
  const f = Math.fround;
  const corrections = biasCorrections(options, update.step);
  const first = f(corrections.first);
  const second = f(corrections.second);
  const beta1 = f(options.beta1);
  const beta1Rest = f(1 - options.beta1);
  const beta2 = f(options.beta2);
  const beta2Rest = f(1 - options.beta2);
  const epsilon = f(options.epsilon);
  const decay = f(options.weightDecay);
  const scale = f(update.scale);
  const rate = f(update.learningRate);
  for (let i = 0; i < params.length; i++) {
    const p = params[i] as number;
    const g = f((gradSum[i] as number) * scale);
    const m2 = f(f((m[i] as number) * beta1) + f(g * beta1Rest));
    const v2 = f(f((v[i] as number) * beta2) + f(f(g * g) * beta2Rest));
    const denominator = f(f(Math.sqrt(f(v2 * second))) + epsilon);
    m[i] = m2;
    v[i] = v2;
    params[i] = f(f(p - f(f(p * decay) * rate)) - f(rate * f(f(m2 * first) / denominator)));
  }
}
