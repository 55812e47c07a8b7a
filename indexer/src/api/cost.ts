import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";

/** Most levels of fields a query may have; introspection, as tools send it, needs 13. */
export const MAX_DEPTH = 14;
/** Most rows a query may ask for, nested lists multiplied. */
export const MAX_COST = 20_000;
/** Ponder's own page size when a list names none. */
const DEFAULT_LIMIT = 50;
/** Lists that the protocol keeps short: what a parent can have at most, whatever limit the query names. */
const SMALL_LISTS: Record<string, number> = { votes: 6, seats: 12, challenges: 4, evictions: 8 };

/**
 * What a query asks for, before anything is run.
 * @returns `rows`: the most rows it can return; `depth`: levels of fields
 */
export function queryCost({
  document,
  operationName,
  variables,
}: {
  document: DocumentNode;
  operationName?: string | null | undefined;
  variables: Readonly<Record<string, unknown>>;
}): { rows: number; depth: number } {
  const fragments = new Map<string, FragmentDefinitionNode>();
  let operation: OperationDefinitionNode | undefined;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      if (!operationName || definition.name?.value === operationName) operation ??= definition;
    }
  }
  if (!operation) return { rows: 0, depth: 0 };
  return measure(operation.selectionSet, new Set());

  function measure(selections: SelectionSetNode, inside: ReadonlySet<string>): { rows: number; depth: number } {
    let rows = 0;
    let depth = 0;
    for (const selection of selections.selections) {
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value;
        const child = selection.selectionSet ? measure(selection.selectionSet, inside) : { rows: 0, depth: 0 };
        // Introspection reads no table; its depth still counts.
        const isList = selection.selectionSet?.selections.some(
          (inner) => inner.kind === Kind.FIELD && inner.name.value === "items",
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
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (!fragment) continue;
      const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : undefined;
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
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind === Kind.VARIABLE) {
    const given = variables[value.name.value];
    return typeof given === "number" ? given : DEFAULT_LIMIT;
  }
  return DEFAULT_LIMIT;
}
