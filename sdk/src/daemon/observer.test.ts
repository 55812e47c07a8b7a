import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "./logger.ts";
import { openObserver } from "./observer.ts";

interface OtlpSpan {
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: { readonly key: string; readonly value: Record<string, unknown> }[];
}

let server: Server;
let port: number;
const bodies: { url: string; text: string }[] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const text = request.headers["content-encoding"] === "gzip" ? gunzipSync(body).toString() : body.toString();
    bodies.push({ url: request.url ?? "", text });
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

describe("openObserver", () => {
  it("sends spans to an OpenTelemetry collector, failures with their words", async () => {
    const otlp = `http://127.0.0.1:${port}/v1/traces`;
    const observer = await openObserver({ service: "gpuchain-node", instance: "0xaa", otlp });
    await observer.span("commit", { job: "1", fence: 2 }, async () => undefined);
    const failing = observer.span("acquire", { job: "1" }, () => Promise.reject(new Error("too late")));
    await expect(failing).rejects.toThrow("too late");
    observer.took("judge", { checkpoint: "7" }, 1500);
    await observer.close();
    const sent = bodies.filter(({ url }) => url === "/v1/traces").map(({ text }) => JSON.parse(text));
    const resource = sent[0].resourceSpans[0];
    expect(JSON.stringify(resource.resource)).toContain("gpuchain-node");
    const spans: OtlpSpan[] = sent.flatMap((body) => body.resourceSpans[0].scopeSpans[0].spans);
    expect(spans.map(({ name }) => name)).toEqual(["commit", "acquire", "judge"]);
    expect(spans[0]?.attributes).toContainEqual({ key: "gpuchain.job", value: { stringValue: "1" } });
    expect(spans[1]?.status).toEqual({ code: 2, message: "too late" });
    const [, , judge] = spans;
    expect(Number(BigInt(judge?.endTimeUnixNano ?? 0) - BigInt(judge?.startTimeUnixNano ?? 0))).toBe(1_500_000_000);
  });

  it("reports errors of the log to Sentry, without credentials", async () => {
    const observer = await openObserver({ service: "gpuchain-verifier", sentryDsn: `http://key@127.0.0.1:${port}/5` });
    const log = createLogger({
      name: "verifier",
      destination: { write: () => undefined },
      onError: (error, fields) => observer.error(error, fields),
    });
    log.warn({ err: new Error("only a warning") }, "not reported");
    log.child({ job: "9" }).error({ err: new Error("no answer from https://user:hunter2@rpc.example") }, "failed");
    await observer.close();
    const reports = bodies.filter(({ url }) => url.startsWith("/api/5/envelope")).map(({ text }) => text);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain("no answer from");
    expect(reports[0]).toContain('"gpuchain.job":"9"');
    expect(reports.join()).not.toContain("hunter2");
  });

  it("does nothing, and loads nothing, where nothing is set", async () => {
    const before = bodies.length;
    const observer = await openObserver({ service: "gpuchain-node" });
    expect(await observer.span("commit", {}, async () => 7)).toBe(7);
    observer.error(new Error("nobody hears this"));
    await observer.close();
    expect(bodies).toHaveLength(before);
  });
});
