import { isGpuchainError } from "@gpuchain/sdk/daemon";

/** Writes that are made now, or, where the disk is full, in the same order once there is room. */
export interface LateWrites {
  (write: () => void): void;
  /** Gives up what still waits. */
  close(): void;
}

const RETRY_MS = 250;

/**
 * For bookkeeping that nobody waits for: a full disk must not end a process that holds a lease, and what is not written yet is lost in a
 * crash as the work since the last trace point is.
 *
 * @param onFull told once each time that the disk fills up
 */
export function createLateWrites(onFull: () => void = () => undefined): LateWrites {
  const waiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isFull = false;
  let isFlushing = false;

  const flush = (): void => {
    if (isFlushing) return; // Asked for by a write: it comes to it.
    isFlushing = true;
    try {
      writeAll();
    } finally {
      isFlushing = false;
    }
  };
  const writeAll = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (let write = waiting[0]; write !== undefined; write = waiting[0]) {
      try {
        write();
      } catch (error) {
        if (isGpuchainError(error, "DISK_FULL")) {
          if (!isFull) onFull();
          isFull = true;
          timer = setTimeout(flush, RETRY_MS);
          timer.unref();
          return;
        }
        waiting.shift();
        throw error;
      }
      waiting.shift();
    }
    isFull = false;
  };

  const late = (write: () => void): void => {
    waiting.push(write);
    flush();
  };
  return Object.assign(late, {
    close() {
      clearTimeout(timer);
      waiting.length = 0;
    },
  });
}
