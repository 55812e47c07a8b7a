import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Recording } from "@gpuchain/sdk/records";
import type { Plugin } from "vite";
import { type RecordingSummary, summarize } from "./summary.ts";

/** Writes `recordings/index.json`, newest first, from the recordings that lie in public/recordings. */
export function recordingIndex(): Plugin {
  let folder = "";
  return {
    name: "recording-index",
    configResolved(config) {
      folder = path.join(config.publicDir, "recordings");
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "recordings/index.json", source: JSON.stringify(readIndex(folder)) });
    },
    configureServer(server) {
      server.middlewares.use("/recordings/index.json", (_request, response) => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(readIndex(folder)));
      });
    },
  };
}

export function readIndex(folder: string): RecordingSummary[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json") && file !== "index.json");
  const summaries = files.map((file) => {
    const text = readFileSync(path.join(folder, file), "utf8");
    return summarize(path.basename(file, ".json"), JSON.parse(text) as Recording, text.length);
  });
  return summaries.sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}
