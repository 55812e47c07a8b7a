import type { RunData } from "../features/run/model/recordedRun.ts";
import type { RecordingSummary } from "./summary.ts";

const base = import.meta.env.BASE_URL;
let index: Promise<readonly RecordingSummary[]> | undefined;

/** There is no such recording, which is something else than one that can't be read. */
export class NoRecording extends Error {
  override readonly name = "NoRecording";
}

/** The recordings this site holds, newest first. Read once. */
export function loadRecordingIndex(): Promise<readonly RecordingSummary[]> {
  index ??= get(`${base}recordings/index.json`).then((r) => r.json() as Promise<RecordingSummary[]>);
  index.catch(() => {
    index = undefined; // A failed read may be tried again.
  });
  return index;
}

/** Recordings that the visitor opened from a file; they are gone with the page. */
const opened = new Map<string, RunData>();

/**
 * Checks a recording's file and keeps it under a name of its own, which is returned.
 * @throws Error that says what is wrong with the file
 */
export async function openRecordingFile(file: File): Promise<string> {
  const [{ parseRecording }, { recordedRun }] = await parser();
  const slug = `file-${file.name.replace(/\.json$/, "").replace(/[^\w.-]+/g, "-").slice(0, 70)}`;
  opened.set(slug, recordedRun(parseRecording(parseJson(await file.text()))));
  return slug;
}

/** Loads and checks one recording. */
export async function loadRecording(slug: string): Promise<RunData> {
  const own = opened.get(slug);
  if (own) return own;
  if (!/^[\w.-]{1,80}$/.test(slug)) throw new NoRecording(`“${slug}” is no recording’s name.`);
  const [response, [{ parseRecording }, { recordedRun }]] = await Promise.all([
    get(`${base}recordings/${slug}.json`),
    parser(),
  ]);
  return recordedRun(parseRecording(parseJson(await response.text())));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("Not a recording: it isn’t JSON, or not all of it.");
  }
}

function parser() {
  return Promise.all([import("@gpuchain/sdk/records"), import("../features/run/model/recordedRun.ts")]);
}

async function get(address: string): Promise<Response> {
  const response = await fetch(address);
  const json = response.headers.get("content-type")?.includes("json");
  if (!response.ok || !json) throw new NoRecording(`No recording at ${address} (${response.status}).`);
  return response;
}
