import { type Journal, openJournal } from "@gpuchain/sdk/daemon";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { JobBook } from "../chain/jobBook.ts";
import { createPulseHub } from "../pulse/hub.ts";
import { createGraphql } from "./graphql.ts";
import type { Receipts } from "./receipts.ts";
import { createTelemetryStore, type TelemetryStore, telemetryMigrations } from "./telemetryStore.ts";

const sample = (step: number, loss: number) => ({ step, loss, lr: 1e-3, ms: 50, at: 1_000 + step });

describe("telemetry over GraphQL", () => {
  let store: TelemetryStore;
  let close: () => void;
  let database: Journal;
  let yoga: ReturnType<typeof createGraphql>;
  beforeEach(() => {
    database = openJournal(":memory:", telemetryMigrations);
    store = createTelemetryStore(database);
    close = () => {
      store.close();
      database.close();
    };
    const receipts: Receipts = {
      review: () => undefined,
      noteSigned: () => undefined,
      of: () => [],
      subscribe: () => () => undefined,
    };
    const book = new JobBook("0xAB");
    yoga = createGraphql({ book, hub: createPulseHub(), telemetry: store, receipts, evidence: () => undefined });
  });
  afterEach(() => close());

  const ask = async (query: string, accept = "application/json") =>
    yoga.fetch("http://gateway/graphql", {
      method: "POST",
      headers: { "content-type": "application/json", accept },
      body: JSON.stringify({ query }),
    });
  const data = async (query: string) => (await ask(query)).json();

  it("gives a job's curve in order, by fence, in pages; a step told twice stands once", async () => {
    store.add(1n, 1n, [sample(1, 0.9), sample(2, 0.8)], [{ at: 5, level: "info", message: "warm" }]);
    store.add(1n, 2n, [sample(2, 0.7), sample(3, 0.6)], []);
    store.add(1n, 2n, [sample(3, 0.5)], []);
    store.add(2n, 1n, [sample(1, 9)], []);
    expect(await data('{ steps(job: "1") { fence step loss learningRate } }')).toEqual({
      data: {
        steps: [
          { fence: 1, step: 1, loss: 0.9, learningRate: 1e-3 },
          { fence: 1, step: 2, loss: 0.8, learningRate: 1e-3 },
          { fence: 2, step: 2, loss: 0.7, learningRate: 1e-3 },
          { fence: 2, step: 3, loss: 0.5, learningRate: 1e-3 },
        ],
      },
    });
    expect(
      await data('{ steps(job: "1", fence: 2, after: 2, limit: 1) { step } logs(job: "1") { id message } }'),
    ).toEqual({
      data: { steps: [{ step: 3 }], logs: [{ id: 1, message: "warm" }] },
    });
    expect(
      await data('{ steps(job: "no") { step } verifier { address } evidence(checkpoint: "1") { outcome } }'),
    ).toEqual({
      data: { steps: [], verifier: { address: "0xab" }, evidence: null },
    });
  });

  it("keeps steps for which the disk has no room, and goes on", async () => {
    const { page_count: pages } = database.get<{ page_count: number }>("PRAGMA page_count") ?? { page_count: 0 };
    database.get(`PRAGMA max_page_count = ${pages}`);
    const many = Array.from({ length: 300 }, (_, i) => sample(i + 1, 0.5));
    store.add(1n, 1n, many, []);
    store.flush();
    expect(await data('{ steps(job: "1") { step } }')).toEqual({ data: { steps: [] } });
    database.get("PRAGMA max_page_count = 1000000");
    store.add(1n, 1n, [sample(301, 0.5)], []);
    const { steps } = ((await data('{ steps(job: "1") { step } }')) as { data: { steps: { step: number }[] } }).data;
    expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 301 }, (_, i) => i + 1));
  });

  it("streams new steps as server-sent events", async () => {
    const response = await ask('subscription { stepsAdded(job: "1") { step loss } }', "text/event-stream");
    expect(response.headers.get("content-type")).toMatch(/text\/event-stream/);
    const reader = response.body?.getReader();
    const text = new TextDecoder();
    let seen = "";
    const first = (async () => {
      while (!seen.includes('"loss":0.25')) {
        const piece = await reader?.read();
        if (piece === undefined || piece.done) throw new Error(`the stream ended after: ${seen}`);
        seen += text.decode(piece.value);
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 20));
    store.add(2n, 1n, [sample(1, 0.5)], []);
    store.add(1n, 1n, [sample(7, 0.25)], []);
    await first;
    expect(seen).toContain('{"step":7,"loss":0.25}');
    expect(seen).not.toContain("0.5");
    await reader?.cancel();
  });

  it("refuses queries that would cost a stranger little and the gateway much", async () => {
    const aliases = Array.from({ length: 11 }, (_, i) => `a${i}: steps(job: "1", limit: 5000) { step }`).join(" ");
    expect(JSON.stringify(await data(`{ ${aliases} }`))).toMatch(/At most 10 fields/);
    const hidden = `query { ...A } fragment A on Query { ${aliases} }`;
    expect(JSON.stringify(await data(hidden))).toMatch(/At most 10 fields/);
    expect(JSON.stringify(await data(`{ verifier { ${"address ".repeat(2_000)} } }`))).toMatch(/tokens/);
  });
});
