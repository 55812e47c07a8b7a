const LOOK_MS = 1_000;

/**
 * Ends this process as SIGTERM does once whoever started it is gone: a network must not outlive an `npm run` that was killed, of which nobody
 * hears otherwise.
 */
export function endWithParent(): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_MS);
  timer.unref();
}
