import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { GpuchainError } from "../daemon/errors.ts";

export interface ResolvePasswordParameters {
  /** A file whose first line is the password. */
  file?: string | undefined;
  /** The password from an environment variable. */
  value?: string | undefined;
  /** Asked on the terminal when neither is given and there is one. */
  prompt?: string | undefined;
  signal?: AbortSignal;
}

/** The password of a key file: from a file, else a variable, else typed unseen. Never from argv. Throws PASSWORD_MISSING. */
export async function resolvePassword({ file, value, prompt, signal }: ResolvePasswordParameters): Promise<string> {
  if (file !== undefined) {
    const text = await readFile(file, "utf8").catch((error: unknown) => {
      throw new GpuchainError("PASSWORD_MISSING", `cannot read the password file ${file}`, { cause: error });
    });
    return text.split(/\r?\n/, 1)[0] ?? "";
  }
  if (value !== undefined && value !== "") return value;
  if (prompt !== undefined && process.stdin.isTTY) return ask(prompt, signal);
  throw new GpuchainError("PASSWORD_MISSING", "no password for the key file", {
    hint: "give --password-file, or set GPUCHAIN_PASSWORD",
  });
}

async function ask(prompt: string, signal?: AbortSignal): Promise<string> {
  process.stderr.write(prompt);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await lines.question("", signal ? { signal } : {});
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}
