/** Builds the explorer into explorer/dist when a source is newer than the last build; `step` runs the build and fails where it fails. */
export function buildExplorerIfStale(
  /** the repository's root */
  root: string,
  step: (label: string, file: string, argv: string[], cwd: string) => void,
): void;
