/**
 * Two loops over float32 vectors as a WebAssembly module, four lanes at a time, assembled here byte by byte (no compiler is in the
 * tree): `adamw` is `adamw.ts` in the same order of operations, each rounded to float32 by IEEE 754, so it gives the same bits at a
 * fifth of the time; `add` is `target += source`.
 */
export interface KernelExports {
  /** pointers and the vectors' length in bytes, a multiple of 16; then scale, rate, first, second, β₁, 1−β₁, β₂, 1−β₂, ε, decay */
  adamw(params: number, m: number, v: number, gradSum: number, bytes: number, ...numbers: readonly number[]): void;
  add(target: number, source: number, bytes: number): void;
}

const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;

function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

const vector = (items: readonly (readonly number[])[]): number[] => [...leb(items.length), ...items.flat()];
const section = (id: number, content: readonly number[]): number[] => [id, ...leb(content.length), ...content];
const name = (text: string): number[] => [...leb(text.length), ...new TextEncoder().encode(text)];

const get = (local: number): number[] => [0x20, ...leb(local)];
const set = (local: number): number[] => [0x21, ...leb(local)];
const simd = (opcode: number): number[] => [0xfd, ...leb(opcode)];
/** alignment 2⁴, offset 0 */
const LOAD = [...simd(0x00), 4, 0];
const STORE = [...simd(0x0b), 4, 0];
const SPLAT = simd(0x13);
const SQRT = simd(0xe3);
const ADD = simd(0xe4);
const SUB = simd(0xe5);
const MUL = simd(0xe6);
const DIV = simd(0xe7);
const I32_ADD = 0x6a;
const END = 0x0b;

/** `array + i`, the address of the four lanes at hand. */
const at = (array: number, i: number): number[] => [...get(array), ...get(i), I32_ADD];

/** Runs `body` for i = 0, 16, … while i < bytes; nothing at all for no bytes. */
function loop(i: number, bytes: number, body: readonly number[]): number[] {
  const done = [...get(i), ...get(bytes), 0x4f, 0x0d, 1];
  const next = [...get(i), 0x41, 16, I32_ADD, ...set(i), 0x0c, 0];
  return [0x02, 0x40, 0x03, 0x40, ...done, ...body, ...next, END, END];
}

const body = (locals: readonly (readonly [number, number])[], code: readonly number[]): number[] => {
  const content = [...vector(locals.map(([count, type]) => [...leb(count), type])), ...code, END];
  return [...leb(content.length), ...content];
};

function adamwBody(): number[] {
  const [params, m, v, gradSum, bytes, numbers] = [0, 1, 2, 3, 4, 5];
  const i = 15;
  const lanes = 16;
  const splatted = (index: number) => get(lanes + index);
  const [scale, rate, first, second, beta1, rest1, beta2, rest2, epsilon, decay] = Array.from({ length: 10 }, (_, n) =>
    splatted(n),
  ) as [number[], number[], number[], number[], number[], number[], number[], number[], number[], number[]];
  const [p, g, m2, v2] = [26, 27, 28, 29];
  const splats = Array.from({ length: 10 }, (_, n) => [...get(numbers + n), ...SPLAT, ...set(lanes + n)]).flat();
  const step = [
    ...[...at(params, i), ...LOAD, ...set(p)],
    ...[...at(gradSum, i), ...LOAD, ...scale, ...MUL, ...set(g)],
    ...[...at(m, i), ...LOAD, ...beta1, ...MUL, ...get(g), ...rest1, ...MUL, ...ADD, ...set(m2)],
    ...[...at(v, i), ...LOAD, ...beta2, ...MUL, ...get(g), ...get(g), ...MUL, ...rest2, ...MUL, ...ADD, ...set(v2)],
    ...[...at(m, i), ...get(m2), ...STORE],
    ...[...at(v, i), ...get(v2), ...STORE],
    ...at(params, i),
    ...[...get(p), ...get(p), ...decay, ...MUL, ...rate, ...MUL, ...SUB],
    ...[...rate, ...get(m2), ...first, ...MUL],
    ...[...get(v2), ...second, ...MUL, ...SQRT, ...epsilon, ...ADD],
    ...[...DIV, ...MUL, ...SUB, ...STORE],
  ];
  return body(
    [
      [1, I32],
      [14, V128],
    ],
    [...splats, ...loop(i, bytes, step)],
  );
}

function addBody(): number[] {
  const [target, source, bytes, i] = [0, 1, 2, 3];
  const step = [...at(target, i), ...at(target, i), ...LOAD, ...at(source, i), ...LOAD, ...ADD, ...STORE];
  return body([[1, I32]], loop(i, bytes, step));
}

/** The module's bytes; it imports `env.memory`. */
export function kernelModule(): Uint8Array<ArrayBuffer> {
  const types = vector([
    [0x60, ...vector([...Array(5).fill([I32]), ...Array(10).fill([F32])]), 0],
    [0x60, ...vector([[I32], [I32], [I32]]), 0],
  ]);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, types),
    ...section(2, vector([[...name("env"), ...name("memory"), 0x02, 0x00, 0x01]])),
    ...section(3, vector([[0], [1]])),
    ...section(
      7,
      vector([
        [...name("adamw"), 0x00, 0],
        [...name("add"), 0x00, 1],
      ]),
    ),
    ...section(10, vector([adamwBody(), addBody()])),
  ]);
}
