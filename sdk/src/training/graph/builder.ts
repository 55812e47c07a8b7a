import {
  type Attribute,
  type DType,
  encodeModel,
  type OnnxConstant,
  type OnnxNode,
  type OnnxValue,
} from "../onnx/encodeModel.ts";

/** A value in a graph under construction; shapes are static. */
export interface Value extends OnnxValue {
  /** whether a gradient must flow to it */
  readonly trained: boolean;
}

/** Gradients of the loss by each input of a recorded operator, given the one by its output; undefined where none is needed. */
type Backward = (gradient: Value) => readonly (Value | undefined)[];

interface TapeEntry {
  readonly output: Value;
  readonly inputs: readonly Value[];
  readonly backward: Backward;
}

export type Attributes = Readonly<Record<string, Attribute>>;

/**
 * Builds an ONNX graph node by node, and its reverse: operators of `graph/ops` record on a tape how gradients pass back, `gradients`
 * walks the tape backwards and adds the nodes. Names are counters, so the same calls give the same bytes.
 */
export class GraphBuilder {
  readonly #name: string;
  readonly #nodes: OnnxNode[] = [];
  readonly #constants = new Map<string, OnnxConstant>();
  readonly #inputs: OnnxValue[] = [];
  readonly #outputs: OnnxValue[] = [];
  readonly #tape: TapeEntry[] = [];
  #counter = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Adds a node with one output. `undefined` among the inputs leaves out an optional one. */
  node(
    op: string,
    inputs: readonly (Value | undefined)[],
    shape: readonly number[],
    attributes: Attributes = {},
    dtype: DType = "float32",
  ): Value {
    return this.nodes(op, inputs, [shape], attributes, dtype)[0] as Value;
  }

  /** Adds a node with one output for each given shape. */
  nodes(
    op: string,
    inputs: readonly (Value | undefined)[],
    shapes: readonly (readonly number[])[],
    attributes: Attributes = {},
    dtype: DType = "float32",
  ): Value[] {
    const outputs = shapes.map((shape) => ({ name: `t${this.#counter++}`, dtype, shape, trained: false }));
    this.#nodes.push({
      op,
      inputs: inputs.map((input) => input?.name ?? ""),
      outputs: outputs.map((output) => output.name),
      attributes,
    });
    return outputs;
  }

  input(name: string, dtype: DType, shape: readonly number[], trained = false): Value {
    const value = { name, dtype, shape, trained };
    this.#inputs.push(value);
    return value;
  }

  output(name: string, value: Value): void {
    this.#nodes.push({ op: "Identity", inputs: [value.name], outputs: [name], attributes: {} });
    this.#outputs.push({ name, dtype: value.dtype, shape: value.shape });
  }

  /** A float32 scalar. */
  scalar(value: number): Value {
    return this.#constant(`f${value}`, "float32", [], () => Float32Array.of(value));
  }

  /** A vector of int64: axes, sizes, bounds. */
  indices(values: readonly number[]): Value {
    return this.#constant(`i${values.join()}`, "int64", [values.length], () => BigInt64Array.from(values, BigInt));
  }

  /** The int32 vector `from … from + n − 1`. */
  range(n: number, from = 0): Value {
    return this.#constant(`r${from}:${n}`, "int32", [n], () => Int32Array.from({ length: n }, (_, i) => from + i));
  }

  /** A float32 tensor stored in the graph itself. */
  weights(name: string, shape: readonly number[], data: Float32Array): Value {
    this.#constants.set(`w${name}`, { name, dtype: "float32", shape, data });
    return { name, dtype: "float32", shape, trained: false };
  }

  #constant(key: string, dtype: DType, shape: readonly number[], data: () => OnnxConstant["data"]): Value {
    let constant = this.#constants.get(key);
    if (constant === undefined) {
      constant = { name: `c${this.#constants.size}`, dtype, shape, data: data() };
      this.#constants.set(key, constant);
    }
    return { name: constant.name, dtype, shape, trained: false };
  }

  /** Marks `output` as differentiable in its trained inputs and keeps how gradients pass back. */
  record(output: Value, inputs: readonly Value[], backward: Backward): Value {
    if (!inputs.some((input) => input.trained)) return output;
    const recorded = { ...output, trained: true };
    this.#tape.push({ output: recorded, inputs, backward });
    return recorded;
  }

  /**
   * Adds the backward pass of a scalar `loss` and returns its gradient by each of `values`, in order.
   * A value that the loss does not depend on gets `undefined`.
   */
  gradients(loss: Value, values: readonly Value[]): (Value | undefined)[] {
    const gradients = new Map<string, Value>([[loss.name, this.scalar(1)]]);
    for (const { output, inputs, backward } of this.#tape.toReversed()) {
      const gradient = gradients.get(output.name);
      if (gradient === undefined) continue;
      backward(gradient).forEach((part, i) => {
        const input = inputs[i] as Value;
        if (part === undefined || !input.trained) return;
        const sum = gradients.get(input.name);
        gradients.set(input.name, sum === undefined ? part : this.node("Add", [sum, part], part.shape));
      });
    }
    return values.map((value) => gradients.get(value.name));
  }

  /** The graph as ONNX bytes. */
  encode(): Uint8Array {
    return encodeModel({
      name: this.#name,
      nodes: this.#nodes,
      constants: [...this.#constants.values()],
      inputs: this.#inputs,
      outputs: this.#outputs,
    });
  }
}
