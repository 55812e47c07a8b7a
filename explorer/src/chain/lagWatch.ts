/** A ledger that stays this many blocks behind the chain, for this long, stands still. */
const BEHIND_BLOCKS = 5;
const BEHIND_MS = 30_000;

/**
 * Tells a ledger that stands still from one that is late for a moment: one whose own RPC died answers for ever, with what it knew then.
 *
 * @returns given the blocks that it lacks and the time in ms, whether it stands still
 */
export function createLagWatch(): (behind: number, now: number) => boolean {
  let since: number | undefined;
  return (behind, now) => {
    if (behind <= BEHIND_BLOCKS) since = undefined;
    else since ??= now;
    return since !== undefined && now - since >= BEHIND_MS;
  };
}
