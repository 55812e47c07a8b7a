/**
 * Ends the program when nobody reads what it says any more, as with `gpuchain list | head -1`: quietly, because the reader had enough.
 * Another failure to write, such as a full disk, is told in one line and fails. What is sent or saved survives: it is safe to be
 * ended at any point.
 */
export function endWithOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    process.stderr.write(`error: cannot write the output: ${error.message}\n`);
    process.exit(1);
  });
  // What is said beside the results may be lost.
  process.stderr.on("error", () => undefined);
}
