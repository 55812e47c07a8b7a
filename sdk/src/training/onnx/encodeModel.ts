import { ProtoWriter } from "./protobuf.ts";

export type DType = "float32" | "int32" | "int64" | "bool";

/** An attribute: an integer, a list of them, a string, or a float (boxed, since JavaScript cannot tell 1 from 1.0). */
export type Attribute = number | readonly number[] | string | { readonly float: number };

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

export interface OnnxValue {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
}

export interface OnnxConstant extends OnnxValue {
  readonly data: Float32Array | Int32Array | BigInt64Array;
}

export interface OnnxGraph {
  readonly name: string;
  readonly nodes: readonly OnnxNode[];
  readonly constants: readonly OnnxConstant[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

/** Numbers of TensorProto.DataType. */
export const ONNX_DTYPE: Readonly<Record<DType, number>> = { float32: 1, int32: 6, int64: 7, bool: 9 };
export const OPSET = 18;
const IR_VERSION = 9;
/** Numbers of AttributeProto.AttributeType. */
const ATTRIBUTE = { float: 1, int: 2, string: 3, ints: 7 } as const;

function attribute(name: string, value: Attribute): ProtoWriter {
  const proto = new ProtoWriter().text(1, name);
  if (typeof value === "string") return proto.text(4, value).int(20, ATTRIBUTE.string);
  if (typeof value === "number") return proto.int(3, value).int(20, ATTRIBUTE.int);
  if ("float" in value) return proto.float(2, value.float).int(20, ATTRIBUTE.float);
  for (const item of value) proto.int(8, item);
  return proto.int(20, ATTRIBUTE.ints);
}

function node(value: OnnxNode, index: number): ProtoWriter {
  const proto = new ProtoWriter();
  for (const input of value.inputs) proto.text(1, input);
  for (const output of value.outputs) proto.text(2, output);
  proto.text(3, `n${index}`).text(4, value.op);
  for (const [name, item] of Object.entries(value.attributes)) proto.message(5, attribute(name, item));
  return proto;
}

function constant({ name, dtype, shape, data }: OnnxConstant): ProtoWriter {
  const proto = new ProtoWriter();
  for (const dimension of shape) proto.int(1, dimension);
  return proto
    .int(2, ONNX_DTYPE[dtype])
    .text(8, name)
    .bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

function valueInfo({ name, dtype, shape }: OnnxValue): ProtoWriter {
  const dimensions = new ProtoWriter();
  for (const dimension of shape) dimensions.message(1, new ProtoWriter().int(1, dimension));
  const tensor = new ProtoWriter().int(1, ONNX_DTYPE[dtype]).message(2, dimensions);
  return new ProtoWriter().text(1, name).message(2, new ProtoWriter().message(1, tensor));
}

/** An ONNX ModelProto, opset 18. Equal graphs give equal bytes: no time, no version of ours, no map order. */
export function encodeModel(graph: OnnxGraph): Uint8Array {
  const proto = new ProtoWriter();
  graph.nodes.forEach((item, index) => {
    proto.message(1, node(item, index));
  });
  proto.text(2, graph.name);
  for (const item of graph.constants) proto.message(5, constant(item));
  for (const item of graph.inputs) proto.message(11, valueInfo(item));
  for (const item of graph.outputs) proto.message(12, valueInfo(item));
  return new ProtoWriter()
    .int(1, IR_VERSION)
    .text(2, "gpuchain")
    .message(7, proto)
    .message(8, new ProtoWriter().text(1, "").int(2, OPSET))
    .finish();
}
