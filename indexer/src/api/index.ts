// The ledger's HTTP face. Ponder itself adds /health, /ready, its own /status, /metrics and CORS for everybody.
import { Hono } from "hono";
import { startAudit } from "./audit.ts";
import { graphqlHandler } from "./graphql.ts";
import { toJson } from "./json.ts";
import { createLiveHub } from "./live.ts";
import { registerMetrics } from "./metrics.ts";
import { readReserves } from "./reserves.ts";
import { liveEvents } from "./sse.ts";
import { readStatus } from "./status.ts";

const hub = createLiveHub();
const audit = startAudit(hub);
registerMetrics(audit, hub);

const app = new Hono();
const json = (value: unknown, status = 200): Response =>
  new Response(toJson(value), { status, headers: { "content-type": "application/json", "cache-control": "no-store" } });

app.get("/", (context) => context.redirect("/graphql"));
app.use("/graphql", graphqlHandler(hub, audit));
app.get("/live", (context) => liveEvents(context, hub));
app.get("/api/status", async () => {
  const { state, ok, block, difference } = audit.report();
  return json({ ...(await readStatus(hub)), audit: { state, ok, block, difference } });
});
app.get("/api/audit", () => json(audit.report(), audit.report().ok === false ? 500 : 200));
app.get("/reserves", async (context) => {
  const { job = "0", account = "" } = context.req.query();
  if (!/^\d{1,20}$/.test(job) || !/^(0x[0-9a-fA-F]{0,40})?$/.test(account)) {
    return json({ error: "job must be a number and account an address: take them from `next`" }, 400);
  }
  if (!hub.isLive()) return json({ error: "the ledger is still catching up", cause: "no block since its start" }, 503);
  try {
    return json(await readReserves({ job: BigInt(job), account: account.toLowerCase() }));
  } catch (error) {
    return json({ error: "the reserves cannot be read now", cause: (error as Error).message.split("\n")[0] }, 503);
  }
});

export default app;
