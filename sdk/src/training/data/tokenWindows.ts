import { TrainingError } from "../errors.ts";
import type { Dataset } from "./dataset.ts";

/**
 * Cuts a stream of tokens into windows of `sequence + 1` for a language model: each window's targets are its tokens, one later. Windows
 * overlap by one token, so that every token but the first is a target once; a rest that fills no window is dropped.
 *
 * @throws TrainingError `BAD_DATASET` when the stream is shorter than a window
 */
export function tokenWindows(tokens: ArrayLike<number>, sequence: number): Dataset {
  const examples = Math.floor((tokens.length - 1) / sequence);
  if (examples < 1)
    throw new TrainingError("BAD_DATASET", `${tokens.length} tokens do not fill one window of ${sequence + 1}.`);
  const width = sequence + 1;
  const data = new Int32Array(examples * width);
  for (let example = 0; example < examples; example++)
    for (let i = 0; i < width; i++) data[example * width + i] = tokens[example * sequence + i] as number;
  return { format: "tokens", examples, columns: { tokens: { dtype: "int32", width, data } } };
}
