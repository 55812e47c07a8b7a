/** One server-sent event. */
export interface ServerEvent {
  id: string | undefined;
  event: string;
  data: Record<string, unknown>;
}

export interface EventReader {
  /** The next event of this kind; others are passed over and kept in `seen`. */
  next(event: string): Promise<ServerEvent>;
  seen: ServerEvent[];
  close(): Promise<void>;
}

/** Reads server-sent events as a browser's EventSource would. */
export async function readEvents(url: string, lastEventId?: string): Promise<EventReader> {
  const abort = new AbortController();
  const headers = {
    accept: "text/event-stream",
    ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
  };
  const response = await fetch(url, { headers, signal: abort.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!response.ok || !reader) throw new Error(`no events at ${url}: ${response.status}`);
  let text = "";
  const seen: ServerEvent[] = [];
  const waiting: ServerEvent[] = [];
  return {
    seen,
    async next(kind) {
      for (;;) {
        const event = waiting.shift();
        if (event) {
          seen.push(event);
          if (event.event === kind) return event;
          continue;
        }
        const { value, done } = await reader.read();
        if (done) throw new Error(`the events ended before a ${kind}`);
        text += value;
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const fields = new Map(
            block.split("\n").map((line) => [line.split(":")[0], line.slice(line.indexOf(":") + 1).trim()]),
          );
          const data = fields.get("data");
          if (data === undefined) continue;
          waiting.push({ id: fields.get("id"), event: fields.get("event") ?? "message", data: JSON.parse(data) });
        }
      }
    },
    async close() {
      abort.abort();
    },
  };
}
