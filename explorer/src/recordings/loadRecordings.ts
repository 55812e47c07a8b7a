import type { RunData } from "../features/run/model/recordedRun.ts";
import type { RecordingSummary } from "./summary.ts";

const base = import.meta.env.BASE_URL;
let index: Promise<readonly RecordingSummary[]> | undefined;

/** The recordings this site holds, newest first. Read once. */
export function loadRecordingIndex(): Promise<readonly RecordingSummary[]> {
  index ??= get(`${base}recordings/index.json`).then((r) => r.json() as Promise<RecordingSummary[]>);
  index.catch(() => {
    index = undefined; // A failed read may be tried again.
  });
  return index;
}

/** Loads and checks one recording. */
export async function loadRecording(slug: string): Promise<RunData> {
  if (!/^[\w.-]{1,80}$/.test(slug)) throw new Error(`“${slug}” is no recording’s name.`);
  const [response, { parseRecording }, { recordedRun }] = await Promise.all([
    get(`${base}recordings/${slug}.json`),
    import("@gpuchain/sdk/records"),
    import("../features/run/model/recordedRun.ts"),
  ]);
  return recordedRun(parseRecording(await response.json()));
}

async function get(address: string): Promise<Response> {
  const response = await fetch(address);
  const json = response.headers.get("content-type")?.includes("json");
  if (!response.ok || !json) throw new Error(`No recording at ${address} (${response.status}).`);
  return response;
}
