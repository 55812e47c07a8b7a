import type { ModelDescription } from "../../records/index.ts";
import type { GraphBuilder, Value } from "../graph/builder.ts";

/** How a parameter starts. All are free of libm, so that every machine starts from the same bits. */
export type Initial =
  | { readonly kind: "zeros" }
  | { readonly kind: "ones" }
  /** uniform with the given standard deviation */
  | { readonly kind: "uniform"; readonly deviation: number };

/** A named tensor of a model, before it has a place in the flat vector. */
export interface Parameter {
  readonly name: string;
  readonly shape: readonly number[];
  readonly initial: Initial;
}

/** A column of the data as the graph takes it: [batch, …shape]. */
export interface Column {
  readonly name: string;
  readonly dtype: "float32" | "int32";
  /** shape of one example */
  readonly shape: readonly number[];
}

/** What a forward pass is given. */
export interface ForwardInputs {
  readonly batch: number;
  readonly param: (name: string) => Value;
  readonly column: (name: string) => Value;
}

/** One model family: its tensors, the columns it reads, its forward pass and what it is scored by. */
export interface Architecture<Model extends ModelDescription> {
  /** trained tensors, in the order of the flat vector */
  parameters(model: Model): Parameter[];
  /** frozen tensors, in the order of the base blob; empty where nothing is frozen */
  frozen(model: Model): Parameter[];
  /** what the forward pass reads */
  columns(model: Model): Column[];
  /** the labels' column; undefined where the targets are the inputs, shifted */
  labels(model: Model): Column | undefined;
  /** logits [rows, classes] */
  logits(g: GraphBuilder, model: Model, inputs: ForwardInputs): Value;
  /** int32 targets [rows] that the logits are scored against */
  targets(g: GraphBuilder, model: Model, inputs: ForwardInputs): Value;
  /** rows of logits per example */
  rows(model: Model): number;
}
