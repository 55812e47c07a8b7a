import { permutation } from "../random/permutation.ts";
import { STREAM } from "../random/philox.ts";

/**
 * Splits examples into a training and a held-out set so that no group lies on both sides; the held-out set takes whole groups, drawn
 * by `seed`, until it holds `heldOut` examples.
 */
export function groupedSplit<Example>(
  examples: readonly Example[],
  groupOf: (example: Example) => string,
  heldOut: number,
  seed: number,
): { train: Example[]; heldOut: Example[] } {
  const groups = new Map<string, Example[]>();
  for (const example of examples) {
    const group = groups.get(groupOf(example));
    if (group) group.push(example);
    else groups.set(groupOf(example), [example]);
  }
  const members = [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  const split = { train: [] as Example[], heldOut: [] as Example[] };
  for (const index of permutation(members.length, seed, STREAM.split, 0)) {
    const side = split.heldOut.length < heldOut ? split.heldOut : split.train;
    // One by one: a group may hold more examples than a call takes arguments.
    for (const member of members[index] as Example[]) side.push(member);
  }
  return split;
}
