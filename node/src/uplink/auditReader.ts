import { join } from "node:path";
import type { StatesRequest } from "@gpuchain/sdk/gateway";
import type { Hex } from "@gpuchain/sdk/records";
import { openStateFiles } from "../trainer/stateFiles.ts";

export interface AuditReader {
  /** The states that an audit asks for, as far as they are still kept. */
  read(request: StatesRequest): Promise<ReadonlyMap<Hex, Uint8Array>>;
}

/** All three seats draw the same intervals and ask within moments of one another: what was read for one serves the others. */
const KEEP_MS = 5_000;

/** @param data the node's data folder */
export function createAuditReader(data: string): AuditReader {
  const recent = new Map<Hex, Promise<Uint8Array | undefined>>();
  return {
    async read({ jobId, stateHashes }) {
      const files = await openStateFiles(join(data, "jobs", jobId.toString(), "states"));
      const states = new Map<Hex, Uint8Array>();
      for (const hash of stateHashes) {
        let reading = recent.get(hash);
        if (reading === undefined) {
          reading = files.read(hash);
          recent.set(hash, reading);
          setTimeout(() => recent.delete(hash), KEEP_MS).unref();
        }
        const bytes = await reading;
        if (bytes !== undefined) states.set(hash, bytes);
      }
      return states;
    },
  };
}
