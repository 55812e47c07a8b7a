import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ChildSettings } from "./protocol.ts";

/**
 * States are read, decoded and copied by the megabyte, and a first touch of memory in pages of 4 KiB costs more than the copy: 11 MB in 41 ms
 * instead of 1.5, measured on a virtual machine. The C library of most Linux systems (glibc 2.35 and later) asks for large pages when told so;
 * others do not read this.
 */
const LARGE_PAGES = { GLIBC_TUNABLES: "glibc.malloc.hugetlb=1" };

/** What the system, the drivers of graphics cards and the loader of their libraries are told by environment, and `devices` sees too. */
const OF_THE_MACHINE =
  /^(?:PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|XDG_RUNTIME_DIR|(?:LD_LIBRARY|DYLD_(?:FALLBACK_)?LIBRARY)_PATH|(?:CUDA|CUDNN|NVIDIA|VK|MESA|DRI|ROCR|HIP|HSA)_\w+)$/;

/**
 * Forks the child from the file beside this one: compiled JavaScript as shipped, TypeScript (through tsx, which only development
 * has) when this very file runs from source.
 */
export function spawnChild(settings: ChildSettings): ChildProcess {
  const fromSource = import.meta.url.endsWith(".ts");
  const entry = fileURLToPath(new URL(fromSource ? "./child/main.ts" : "./child/main.js", import.meta.url));
  const loader = fromSource
    ? ["--import", pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href, "--conditions=source"]
    : [];
  return fork(entry, [JSON.stringify(settings)], {
    execArgv: [...loader, "--enable-source-maps", "--max-semi-space-size=4"],
    serialization: "json",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // Keys and passwords that reached the daemon by environment are none of the training program's business.
    env: { ...machineEnv(process.env), ...LARGE_PAGES },
  });
}

/** The part of an environment that tells of the machine, not of its owner. */
export const machineEnv = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => OF_THE_MACHINE.test(name)));
