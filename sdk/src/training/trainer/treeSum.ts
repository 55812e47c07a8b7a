interface Partial {
  readonly level: number;
  readonly vector: Float32Array;
}

/**
 * Sums equally long vectors by a fixed binary tree, as they come: ((0 + 1) + (2 + 3)) + … . Unlike a left fold, any aligned group of
 * 2ᵏ of them can be summed elsewhere and taken in as one, with the same bits.
 */
export class TreeSum {
  readonly #length: number;
  readonly #free: Float32Array[] = [];
  readonly #partials: Partial[] = [];

  /** @param length elements of a vector */
  constructor(length: number) {
    this.#length = length;
  }

  /** A vector to be filled and handed to {@link add}; its content is undefined. */
  take(): Float32Array {
    return this.#free.pop() ?? new Float32Array(this.#length);
  }

  /**
   * Takes in the next vector, which then belongs to the sum.
   *
   * @param level k when the vector is itself the sum of an aligned group of 2ᵏ
   */
  add(vector: Float32Array, level = 0): void {
    let sum: Partial = { level, vector };
    for (let top = this.#partials.at(-1); top?.level === sum.level; top = this.#partials.at(-1)) {
      this.#partials.pop();
      addInto(top.vector, sum.vector);
      this.#free.push(sum.vector);
      sum = { level: sum.level + 1, vector: top.vector };
    }
    this.#partials.push(sum);
  }

  /** The sum; hand its vector back with {@link recycle} once it has been read. */
  finish(): Float32Array {
    let sum = this.#partials.pop()?.vector ?? new Float32Array(this.#length);
    for (let next = this.#partials.pop(); next !== undefined; next = this.#partials.pop()) {
      addInto(next.vector, sum);
      this.#free.push(sum);
      sum = next.vector;
    }
    return sum;
  }

  recycle(vector: Float32Array): void {
    this.#free.push(vector);
  }

  /** Drops what was added since the last {@link finish}. */
  clear(): void {
    for (const { vector } of this.#partials.splice(0)) this.#free.push(vector);
  }
}

/** `target += source`, each element rounded to float32 (a double's sum of two floats rounds to the same float). */
export function addInto(target: Float32Array, source: Float32Array): void {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] as number) + (source[i] as number);
}
