// A ledger as nobody should run it: it answers what a test makes up.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface HostileLedger {
  readonly url: string;
  /** how often its history was asked for */
  asked(): number;
  /** from now on it says nothing wrong */
  reform(): void;
  close(): Promise<void>;
}

export interface Lies {
  /** the rows behind `after` */
  readonly rows: (after: number) => readonly unknown[];
  /** what its live updates say: event and data, as they go over the line */
  readonly live?: readonly (readonly [event: string, data: string])[];
}

export async function startHostileLedger(lies: Lies): Promise<HostileLedger> {
  const { rows } = lies;
  let live = lies.live ?? [];
  let asked = 0;
  const server = createServer((request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    if (request.method === "OPTIONS") return void response.end();
    if (request.url?.startsWith("/live")) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const [event, data] of live) response.write(`event: ${event}\ndata: ${data}\n\n`);
      return;
    }
    if (request.url?.startsWith("/api/status")) return void response.end("null");
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      asked++;
      const { after } = (JSON.parse(body) as { variables: { after: number } }).variables;
      const pageInfo = { hasNextPage: true, endCursor: "the same" };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data: { journals: { items: rows(after), pageInfo } } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    reform() {
      live = [];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
