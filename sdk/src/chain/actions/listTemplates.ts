import { type AtBlock, type ChainReader, read } from "../reader.ts";
import { type GetTemplateReturnType, getTemplate } from "./getTemplate.ts";

export type ListTemplatesParameters = AtBlock;
export type ListTemplatesReturnType = GetTemplateReturnType[];

/**
 * All templates in order of ids, approved or not.
 *
 * @example
 * const names = (await listTemplates(client)).map(({ name }) => name);
 */
export async function listTemplates(
  client: ChainReader,
  at: ListTemplatesParameters = {},
): Promise<ListTemplatesReturnType> {
  const count = await read(client, "registry", "templateCount", [], at);
  const ids = Array.from({ length: Number(count) }, (_, templateId) => templateId);
  return Promise.all(ids.map((templateId) => getTemplate(client, { templateId, ...at })));
}
