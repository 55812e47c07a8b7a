import { vi } from "vitest";
import { runCli } from "../program.ts";

export interface CliOutcome {
  code: number;
  out: string;
  error: string;
  /** The JSON values on standard output, one a line. */
  lines: unknown[];
}

/** Runs a command in this process and keeps what it says. */
export async function captureCli(argv: readonly string[]): Promise<CliOutcome> {
  const out = capture(process.stdout);
  const error = capture(process.stderr);
  try {
    const code = await runCli(argv);
    const json = argv.includes("--json") && out.text() !== "";
    const lines = json
      ? out
          .text()
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as unknown)
      : [];
    return { code, out: out.text(), error: error.text(), lines };
  } finally {
    out.end();
    error.end();
  }
}

function capture(stream: NodeJS.WriteStream) {
  const pieces: string[] = [];
  const spy = vi.spyOn(stream, "write").mockImplementation((chunk) => pieces.push(String(chunk)) > 0);
  return { text: () => pieces.join(""), end: () => spy.mockRestore() };
}
