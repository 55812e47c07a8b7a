// Gateways as nobody should run them: each answers the page's questions with another kind of nonsense.
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const ADDRESS = `0x${"ab".repeat(20)}`;
const NONSENSE = { fence: "1", step: -1, loss: null, ms: "x", at: 1e99, id: {}, level: 7, message: ["<b>"] };

/** Answers to a question, by kind. `greeting` is right where a gateway is to be believed at first. */
const KINDS: Readonly<Record<string, (isGreeting: boolean) => unknown>> = {
  "no JSON": () => "<html>",
  "another form": () => [null, 5],
  nothing: () => ({ data: null }),
  "no address": () => ({ data: { receipts: 5, pulses: {}, verifier: { address: "<img src=x>" } } }),
  "garbage in every field": (isGreeting) => ({
    data: isGreeting
      ? { receipts: [NONSENSE, null], pulses: [NONSENSE, 7], verifier: { address: ADDRESS } }
      : { steps: [NONSENSE, null], logs: [NONSENSE], verifier: { address: 5 }, evidence: { gates: [NONSENSE] } },
  }),
  "pages without end": (isGreeting) => ({
    data: isGreeting
      ? { receipts: [], pulses: [], verifier: { address: `0x${"cd".repeat(20)}` } }
      : { steps: new Array(5_000).fill({ ...NONSENSE }), logs: [] },
  }),
};

export interface HostileGateways {
  readonly urls: string[];
  /** settles when the page has listened to the news of one, which are garbage too */
  readonly heard: Promise<void>;
  /** how often the busiest was asked */
  most(): number;
  close(): Promise<void>;
}

export async function startHostileGateways(): Promise<HostileGateways> {
  const asked = new Map<string, number>();
  let listened: () => void = () => undefined;
  const heard = new Promise<void>((resolve) => {
    listened = resolve;
  });
  const servers: Server[] = [];
  const urls = await Promise.all(
    Object.entries(KINDS).map(async ([kind, answer]) => {
      const server = createServer((request, response) => {
        asked.set(kind, (asked.get(kind) ?? 0) + 1);
        response.setHeader("access-control-allow-origin", "*");
        response.setHeader("access-control-allow-headers", "*");
        if (request.method === "GET") return tellNonsense(response, listened);
        let body = "";
        request.on("data", (chunk) => {
          body += String(chunk);
        });
        request.on("end", () => {
          const said = answer(body.includes("pulses"));
          response.end(typeof said === "string" ? said : JSON.stringify(said));
        });
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  return {
    urls,
    heard,
    most: () => Math.max(...asked.values()),
    async close() {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** News that are none, and then the line breaks. */
function tellNonsense(response: ServerResponse, done: () => void): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const data of ["no json", "null", "5", '{"data":null}', `{"data":{"stepsAdded":[${JSON.stringify(NONSENSE)}]}}`])
    response.write(`event: next\ndata: ${data}\n\n`);
  response.end("event: next\ndata: {", done);
}
