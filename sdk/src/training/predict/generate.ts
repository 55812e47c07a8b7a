import type { DecoderModel } from "../../records/index.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import { forwardGraph, type Weights } from "./forwardGraph.ts";

/**
 * Continues a text of tokens by the most likely one each time (greedy, so the same on every call).
 *
 * @param prompt at least one token; only the last `sequence` are seen
 * @param count tokens to add
 */
export async function generate(
  model: DecoderModel,
  weights: Weights,
  runtime: Runtime,
  prompt: readonly number[],
  count: number,
): Promise<number[]> {
  const { sequence, vocabulary } = model;
  const session = await runtime.createSession(forwardGraph(model, weights, 2));
  const tokens = [...prompt];
  try {
    for (let i = 0; i < count; i++) {
      const seen = tokens.slice(-sequence);
      const window = new Int32Array(2 * (sequence + 1));
      window.set(seen);
      const fed = { tokens: { dtype: "int32", shape: [2, sequence + 1], data: window } } as const;
      const { logits } = await session.run(fed);
      const start = (seen.length - 1) * vocabulary;
      const scores = logits?.data.subarray(start, start + vocabulary) ?? [];
      let best = 0;
      for (let token = 1; token < scores.length; token++)
        if ((scores[token] as number) > (scores[best] as number)) best = token;
      tokens.push(best);
    }
  } finally {
    await session.release();
  }
  return tokens.slice(prompt.length);
}
