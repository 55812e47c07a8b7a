import { TrainingError } from "../errors.ts";

/**
 * A tensor's bytes as float32 numbers; half precision and bfloat16 convert exactly.
 *
 * @throws TrainingError `BAD_MODEL` for types that are no floating-point numbers
 */
export function toFloat32(name: string, dtype: string, bytes: Uint8Array): Float32Array {
  // A copy of its own: a file's memory need not be aligned.
  const { buffer } = bytes.slice();
  if (dtype === "F32") return new Float32Array(buffer);
  if (dtype === "F64") return Float32Array.from(new Float64Array(buffer));
  const words = dtype === "F16" || dtype === "BF16" ? new Uint16Array(buffer) : undefined;
  if (words === undefined)
    throw new TrainingError("BAD_MODEL", `"${name}" is ${dtype}; floating-point weights are expected.`);
  if (dtype === "BF16") return new Float32Array(Uint32Array.from(words, (word) => word << 16).buffer);
  return Float32Array.from(words, halfToNumber);
}

function halfToNumber(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
