import type { VectorMemory } from "../optimizer/vectorMemory.ts";

/** Where the sum's vectors come from and how two are added. */
export type SumMemory = Pick<VectorMemory, "take" | "giveBack" | "add">;

interface Partial {
  readonly level: number;
  readonly vector: Float32Array;
}

/**
 * Sums equally long vectors by a fixed binary tree, as they come: ((0 + 1) + (2 + 3)) + … . Unlike a left fold, any aligned group of
 * 2ᵏ of them can be summed elsewhere and taken in as one, with the same bits.
 */
export class TreeSum {
  readonly #memory: SumMemory;
  readonly #partials: Partial[] = [];

  constructor(memory: SumMemory) {
    this.#memory = memory;
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
      this.#memory.add(top.vector, sum.vector);
      this.#memory.giveBack(sum.vector);
      sum = { level: sum.level + 1, vector: top.vector };
    }
    this.#partials.push(sum);
  }

  /** The sum; its vector goes back to the memory once it has been read. */
  finish(): Float32Array {
    let sum = this.#partials.pop()?.vector ?? this.#memory.take();
    for (let next = this.#partials.pop(); next !== undefined; next = this.#partials.pop()) {
      this.#memory.add(next.vector, sum);
      this.#memory.giveBack(sum);
      sum = next.vector;
    }
    return sum;
  }

  /** Drops what was added since the last {@link finish}. */
  clear(): void {
    for (const { vector } of this.#partials.splice(0)) this.#memory.giveBack(vector);
  }
}
