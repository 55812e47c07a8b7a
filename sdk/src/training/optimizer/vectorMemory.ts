import { TrainingError } from "../errors.ts";
import { type AdamWOptions, type AdamWStep, adamw, biasCorrections } from "./adamw.ts";
import { type KernelExports, kernelModule } from "./kernelModule.ts";

const PAGE = 65536;
const MAX_PAGES = 65536;
const LANES = 16;

/**
 * Equally long float32 vectors for a run's state and gradients, in memory that the fast loops reach: runtimes read and write them in
 * place, and nothing is copied between a gradient and its update.
 */
export interface VectorMemory {
  /** A vector of zeros, or one handed back. @throws TrainingError `OUT_OF_MEMORY` when all are taken */
  take(): Float32Array;
  giveBack(vector: Float32Array): void;
  /** see {@link adamw} */
  adamw(
    state: { readonly params: Float32Array; readonly m: Float32Array; readonly v: Float32Array },
    gradSum: Float32Array,
    options: AdamWOptions,
    update: AdamWStep,
  ): void;
  /** `target += source` */
  add(target: Float32Array, source: Float32Array): void;
}

/**
 * @param length elements of a vector
 * @param count most vectors in use at once; memory is only touched as they are taken
 */
export function createVectorMemory(length: number, count: number): VectorMemory {
  const stride = Math.ceil((length * 4) / LANES) * LANES;
  const pages = Math.max(1, Math.ceil((stride * count) / PAGE));
  return pages < MAX_PAGES ? kernelMemory(length, count, stride, pages) : plainMemory(length, count);
}

/** Vectors in WebAssembly's memory, whose 4 GiB hold a state of about 200M weights. */
function kernelMemory(length: number, count: number, stride: number, pages: number): VectorMemory {
  let memory: WebAssembly.Memory;
  try {
    memory = new WebAssembly.Memory({ initial: pages });
  } catch (cause) {
    throw new TrainingError("OUT_OF_MEMORY", `There is no memory for ${count} vectors of ${length} numbers.`, {
      cause,
    });
  }
  const module = new WebAssembly.Module(kernelModule());
  const kernels = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as KernelExports;
  const f = Math.fround;
  return {
    ...vectorPool(count, (index) => new Float32Array(memory.buffer, index * stride, length)),
    adamw({ params, m, v }, gradSum, options, { scale, learningRate, step }) {
      const { first, second } = biasCorrections(options, step);
      const { beta1, beta2, epsilon, weightDecay } = options;
      const numbers = [scale, learningRate, first, second, beta1, 1 - beta1, beta2, 1 - beta2, epsilon, weightDecay];
      kernels.adamw(params.byteOffset, m.byteOffset, v.byteOffset, gradSum.byteOffset, stride, ...numbers.map(f));
    },
    add: (target, source) => kernels.add(target.byteOffset, source.byteOffset, stride),
  };
}

/** Vectors of their own, for states beyond WebAssembly's reach. */
function plainMemory(length: number, count: number): VectorMemory {
  return {
    ...vectorPool(count, () => new Float32Array(length)),
    adamw: ({ params, m, v }, gradSum, options, update) => adamw(params, m, v, gradSum, options, update),
    add: addInto,
  };
}

function vectorPool(count: number, create: (index: number) => Float32Array) {
  const free: Float32Array[] = [];
  let created = 0;
  return {
    take(): Float32Array {
      const vector = free.pop();
      if (vector !== undefined) return vector;
      if (created === count) throw new TrainingError("OUT_OF_MEMORY", `All ${count} vectors are in use.`);
      return create(created++);
    },
    giveBack: (vector: Float32Array) => void free.push(vector),
  };
}

/** `target += source`, each element rounded to float32 (a double's sum of two floats rounds to the same float). */
export function addInto(target: Float32Array, source: Float32Array): void {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] as number) + (source[i] as number);
}
