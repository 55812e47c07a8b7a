import type { ChainLog } from "../sender/types.ts";

/** A log that keeps what it was told. */
export function recordingLog() {
  const lines: { fields: Record<string, unknown>; text: string }[] = [];
  const take = (fields: object, text: string) => void lines.push({ fields: fields as Record<string, unknown>, text });
  const log: ChainLog = { debug: take, info: take, warn: take, error: take };
  return {
    ...log,
    texts: () => lines.map(({ text }) => text),
    events: (event: string) => lines.filter(({ fields }) => fields.event === event).map(({ fields }) => fields),
  };
}
