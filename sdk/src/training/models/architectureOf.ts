import type { ModelDescription } from "../../records/index.ts";
import type { Architecture } from "./architecture.ts";
import { bertLora } from "./bertLora.ts";
import { decoder } from "./decoder.ts";
import { encoder } from "./encoder.ts";
import { mlp } from "./mlp.ts";

const ARCHITECTURES = { encoder, "bert-lora": bertLora, decoder, mlp } as const;

/** The family that a model description names. */
export const architectureOf = (model: ModelDescription): Architecture<ModelDescription> =>
  ARCHITECTURES[model.architecture] as unknown as Architecture<ModelDescription>;
