import { applyEntry, emptyRun, type FactEntry } from "./fold.ts";
import type { RunMeta, RunState } from "./types.ts";

/**
 * Answers "what was the state at t" quickly in both directions: forwards it goes on from where it is, backwards it starts
 * again. The returned object is a new one each time its contents changed, so that React sees the change.
 */
export function createPlayer(meta: RunMeta): { at: (facts: readonly FactEntry[], t: number) => RunState } {
  let state = emptyRun();
  let applied = 0;
  let of: readonly FactEntry[] = [];
  return {
    at(facts, t) {
      const grown =
        facts === of || (facts.length >= of.length && facts[0] === of[0] && facts[applied - 1] === of[applied - 1]);
      if (!grown || t < state.t) {
        state = emptyRun();
        applied = 0;
      }
      of = facts;
      let changed = false;
      for (let entry = facts[applied]; entry && entry.t <= t; entry = facts[applied]) {
        applyEntry(state, meta, entry);
        applied++;
        changed = true;
      }
      if (changed) state = { ...state };
      return state;
    },
  };
}
