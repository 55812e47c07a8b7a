import { GpuchainError, type Logger } from "@gpuchain/sdk/daemon";
import { type Hex, traceRoot } from "@gpuchain/sdk/records";
import type { JournalLeaf } from "../journal/nodeJournal.ts";
import type { Segment } from "./recoverSegments.ts";

/** A finished segment on its way to the chain. */
export interface CommitItem {
  readonly parent: Hex;
  readonly parentStep: number;
  readonly step: number;
  readonly state: Hex;
  readonly root: Hex;
  readonly leaves: readonly JournalLeaf[];
  /** ends the lease */
  readonly release: boolean;
}

export interface Committed extends CommitItem {
  readonly id: bigint;
  readonly block: bigint;
}

export interface CommitQueueParameters {
  /** checkpoint on which the first item builds; 0 is genesis */
  readonly baseId: bigint;
  /** resolves once two seats have the bytes; tries until then or until the signal aborts */
  readonly store: (item: CommitItem, signal: AbortSignal) => Promise<void>;
  /** resolves once the chain's queue has room for the item */
  readonly room: (item: CommitItem, signal: AbortSignal) => Promise<void>;
  /** sends the commit and waits until it is mined */
  readonly commit: (item: CommitItem, parentId: bigint, signal: AbortSignal) => Promise<{ id: bigint; block: bigint }>;
  readonly onCommitted: (committed: Committed) => void;
  /** the queue stops at the first failure; what it could not commit is still in the journal */
  readonly onFailed: (error: unknown, item: CommitItem) => void;
  readonly log: Logger;
}

export interface CommitQueue {
  push(segment: Segment, release?: boolean): CommitItem;
  /** items not yet mined */
  readonly size: number;
  /** the last committed checkpoint, or the base */
  readonly lastId: bigint;
  /** resolves when everything pushed so far is mined; rejects when one of them failed or the queue was closed */
  idle(): Promise<void>;
  /** gives up what is not yet being mined */
  close(reason: string): void;
}

/**
 * Takes finished segments to the chain in order: bytes first, then the commit. The next item is uploaded while the one before it is
 * being mined, and training waits for neither.
 */
export function createCommitQueue(parameters: CommitQueueParameters): CommitQueue {
  const { store, room, commit, onCommitted, onFailed } = parameters;
  const abort = new AbortController();
  let lastId = parameters.baseId;
  let size = 0;
  let stored: Promise<void> = Promise.resolve();
  let mined: Promise<void> = Promise.resolve();
  let failed = false;

  const fail = (error: unknown, item: CommitItem) => {
    if (failed || abort.signal.aborted) return;
    failed = true;
    onFailed(error, item);
  };

  return {
    get size() {
      return size;
    },
    get lastId() {
      return lastId;
    },
    push(segment, release = false) {
      const last = segment.leaves.at(-1);
      if (last === undefined) throw new GpuchainError("EMPTY_SEGMENT", "there is no trained step to commit");
      const item: CommitItem = {
        parent: segment.parent,
        parentStep: segment.parentStep,
        step: last.step,
        state: last.stateHash,
        root: traceRoot(segment.leaves),
        leaves: segment.leaves,
        release,
      };
      size++;
      const isStored = stored.then(() => store(item, abort.signal));
      const isMined = Promise.all([mined, isStored]).then(async () => {
        await room(item, abort.signal);
        abort.signal.throwIfAborted();
        const { id, block } = await commit(item, lastId, abort.signal);
        lastId = id;
        onCommitted({ ...item, id, block });
      });
      const counted = isMined
        .catch((error: unknown) => {
          fail(error, item);
          throw error;
        })
        .finally(() => size--);
      stored = isStored;
      mined = counted;
      // Both are looked at by whoever comes next in the chain, or by idle(); a failure has been told by then.
      isStored.catch(() => undefined);
      counted.catch(() => undefined);
      return item;
    },
    idle: () => mined,
    close(reason) {
      abort.abort(new GpuchainError("COMMIT_ABANDONED", reason));
    },
  };
}
