// What a section of the bench is given, and what it gives back.
export interface BenchContext {
  signal: AbortSignal;
  say: (text: string) => void;
  steps: number;
  kills: number;
  minutes: number;
}

/** A section's figures for the JSON file, and its rows for people. */
export interface Section {
  title: string;
  rows: [label: string, value: string][];
  data: unknown;
}
