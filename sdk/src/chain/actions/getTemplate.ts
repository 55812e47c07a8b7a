import type { ContractFunctionReturnType } from "viem";
import type { registryAbi } from "../generated/index.ts";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetTemplateParameters extends AtBlock {
  templateId: number;
}

export type GetTemplateReturnType = ContractFunctionReturnType<typeof registryAbi, "view", "template"> & {
  templateId: number;
};

/**
 * A workload template: its name, its least verifier fee, whether new jobs may use it.
 *
 * @example
 * const { name, minVerifierFee, approved } = await getTemplate(client, { templateId: 0 });
 */
export async function getTemplate(
  client: ChainReader,
  { templateId, ...at }: GetTemplateParameters,
): Promise<GetTemplateReturnType> {
  return { templateId, ...(await read(client, "registry", "template", [templateId], at)) };
}
