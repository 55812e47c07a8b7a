// Collects what happens during a run, in the recording's own form; the live account, the report and the file are all made from it.
import { type RecordingEntry, recordingSchema } from "@gpuchain/sdk/records";

const entrySchema = recordingSchema.shape.timeline.element;

type WithoutTime<Entry> = Entry extends unknown ? Omit<Entry, "t"> : never;
/** An entry as its source gives it, before the recorder puts the time. */
export type NewEntry = WithoutTime<RecordingEntry>;

export class Recorder {
  readonly entries: RecordingEntry[] = [];
  readonly startedAt: number;
  private readonly listeners: ((entry: RecordingEntry) => void)[] = [];

  constructor(startedAt = Date.now()) {
    this.startedAt = startedAt;
  }

  /** Adds an entry at `at` (epoch ms, now by default). Late news is filed where it belongs; listeners hear of it at once. */
  add(entry: NewEntry, at = Date.now()): void {
    const complete = entrySchema.parse({ ...entry, t: Math.max(0, Math.round(at - this.startedAt)) });
    let index = this.entries.length;
    while (index > 0 && (this.entries[index - 1]?.t ?? 0) > complete.t) index--;
    this.entries.splice(index, 0, complete);
    for (const listener of this.listeners) listener(complete);
  }

  onEntry(listener: (entry: RecordingEntry) => void): void {
    this.listeners.push(listener);
  }
}
