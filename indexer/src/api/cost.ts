import type {
  DocumentNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode,
  ValueNode,
} from "graphql";

/** Most levels of fields a query may have; introspection, as tools send it, needs 13. */
export const MAX_DEPTH = 14;
/** Most rows a query may ask for, nested lists multiplied. */
export const MAX_COST = 20_000;
/** Most fields under another name: each is one more query. */
export const MAX_ALIASES = 30;
/** Ponder's own page size when a list names none. */
const DEFAULT_LIMIT = 50;
/** Lists that the protocol keeps short: what a parent can have at most, whatever limit the query names. */
const SMALL_LISTS: Record<string, number> = { votes: 6, seats: 12, challenges: 4, evictions: 8, attestations: 3 };

/**
 * What a query asks for, before anything is run.
 * @returns `rows`: the most rows it can return; `depth`: levels of fields; `aliases`: fields under another name
 */
export function queryCost({
  document,
  operationName,
  variables,
}: {
  document: DocumentNode;
  operationName?: string | null | undefined;
  variables: Readonly<Record<string, unknown>>;
}): { rows: number; depth: number; aliases: number } {
  let aliases = 0;
  const fragments = new Map<string, FragmentDefinitionNode>();
  let operation: OperationDefinitionNode | undefined;
  for (const definition of document.definitions) {
    if (definition.kind === "FragmentDefinition") fragments.set(definition.name.value, definition);
    if (definition.kind === "OperationDefinition") {
      if (!operationName || definition.name?.value === operationName) operation ??= definition;
    }
  }
  if (!operation) return { rows: 0, depth: 0, aliases };
  return { ...measure(operation.selectionSet, new Set()), aliases };

  function measure(selections: SelectionSetNode, inside: ReadonlySet<string>): { rows: number; depth: number } {
    let rows = 0;
    let depth = 0;
    for (const selection of selections.selections) {
      if (selection.kind === "Field") {
        const name = selection.name.value;
        if (selection.alias) aliases += 1;
        const child = selection.selectionSet ? measure(selection.selectionSet, inside) : { rows: 0, depth: 0 };
        // Introspection reads no table; its depth still counts.
        const isList = selection.selectionSet?.selections.some(
          (inner) => inner.kind === "Field" && inner.name.value === "items",
        );
        const limit = selection.arguments?.find((argument) => argument.name.value === "limit")?.value;
        const asked = limit ? numberOf(limit, variables) : DEFAULT_LIMIT;
        const count = isList ? Math.min(asked, SMALL_LISTS[name] ?? Number.POSITIVE_INFINITY) : 1;
        const ownRow =
          selection.selectionSet && name !== "items" && name !== "pageInfo" && !name.startsWith("__") ? 1 : 0;
        rows += name.startsWith("__") ? 0 : count * (ownRow + child.rows);
        depth = Math.max(depth, 1 + child.depth);
        continue;
      }
      const fragment = selection.kind === "InlineFragment" ? selection : fragments.get(selection.name.value);
      if (!fragment) continue;
      const name = selection.kind === "FragmentSpread" ? selection.name.value : undefined;
      // A cycle is refused by validation; here it must only end.
      if (name !== undefined && inside.has(name)) continue;
      const child = measure(fragment.selectionSet, name === undefined ? inside : new Set([...inside, name]));
      rows += child.rows;
      depth = Math.max(depth, child.depth);
    }
    return { rows, depth };
  }
}

function numberOf(value: ValueNode, variables: Readonly<Record<string, unknown>>): number {
  if (value.kind === "IntValue") return Number(value.value);
  if (value.kind === "Variable") {
    const given = variables[value.name.value];
    return typeof given === "number" ? given : DEFAULT_LIMIT;
  }
  return DEFAULT_LIMIT;
}
