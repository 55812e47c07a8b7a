import type { ValidationRule } from "graphql";
import { createGraphQLError, type Plugin } from "graphql-yoga";

/** Longest query, in tokens: the largest that a page of ours sends has about 150. */
const MAX_TOKENS = 1_000;
/** Fields at the root of one operation, aliases included: each may read thousands of rows. */
const MAX_ROOT_FIELDS = 10;

const rootFields: ValidationRule = (context) => ({
  OperationDefinition(node) {
    const count = node.selectionSet.selections.reduce((sum, selection) => {
      if (selection.kind !== "FragmentSpread") return sum + 1;
      return sum + (context.getFragment(selection.name.value)?.selectionSet.selections.length ?? 0);
    }, 0);
    if (count > MAX_ROOT_FIELDS)
      context.reportError(
        createGraphQLError(`At most ${MAX_ROOT_FIELDS} fields at the root of a query; this one has ${count}.`),
      );
  },
});

/** Bounds what one query of a stranger can cost. */
export const queryLimits: Plugin = {
  onParse({ parseFn, setParseFn }) {
    setParseFn((source, options) => parseFn(source, { ...options, maxTokens: MAX_TOKENS }));
  },
  onValidate({ addValidationRule }) {
    addValidationRule(rootFields);
  },
};
