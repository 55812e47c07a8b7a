import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GpuchainError, toGpuchainError } from "../daemon/index.ts";

/** The folder of a model as `gpuchain fetch` wrote it. */
export interface ModelFolder {
  /** A file's bytes. Errors: MODEL_MISSING. */
  read(name: string): Uint8Array;
  /** What `use` makes of a file; what goes wrong is told with the file's name. Errors: MODEL_DAMAGED. */
  reading<Value>(name: string, use: () => Value | Promise<Value>): Promise<Value>;
  /** MODEL_DAMAGED: the file is not what `fetch` wrote. */
  damaged(name: string, reason: string, cause?: unknown): GpuchainError;
}

export function openModelFolder(folder: string): ModelFolder {
  const damaged = (name: string, reason: string, cause?: unknown) =>
    new GpuchainError("MODEL_DAMAGED", `${join(folder, name)} cannot be used: ${reason}`, {
      hint: `fetch the model again: gpuchain fetch JOB --out ${folder}`,
      cause,
    });
  return {
    damaged,
    read(name) {
      try {
        return new Uint8Array(readFileSync(join(folder, name)));
      } catch (cause) {
        const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
        const what =
          code === "ENOENT"
            ? `${folder} holds no ${name}`
            : code === "ENOTDIR"
              ? `${folder} is no folder`
              : `cannot read ${join(folder, name)}`;
        throw new GpuchainError("MODEL_MISSING", what, { hint: "fetch the model first: gpuchain fetch JOB", cause });
      }
    },
    async reading(name, use) {
      try {
        return await use();
      } catch (cause) {
        if (cause instanceof GpuchainError) throw cause;
        const known = toGpuchainError(cause);
        // Not the file's fault.
        if (known.code === "OUT_OF_MEMORY") throw known;
        const reason = known.message.replace(/\s+/g, " ").trim();
        throw damaged(name, reason.length > 300 ? `${reason.slice(0, 300)}…` : reason, cause);
      }
    },
  };
}
