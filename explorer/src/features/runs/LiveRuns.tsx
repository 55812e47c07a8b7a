export function LiveRuns() {
  return null;
}
