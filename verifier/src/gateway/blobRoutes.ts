import { pipeline } from "node:stream/promises";
import { normalizeSha256 } from "@gpuchain/sdk/blobs";
import { GatewayError, uploadQuerySchema } from "@gpuchain/sdk/gateway";
import type { Hex } from "@gpuchain/sdk/records";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, Hono } from "hono";
import type { Keeper, Upload } from "../keeping/keeper.ts";
import type { KeepingLedger } from "../keeping/keepingLedger.ts";
import type { GatewayEnv } from "./gatewayEnv.ts";
import { type BodyLimits, readBody } from "./readBody.ts";

const hashOf = (context: Context<GatewayEnv>): Hex => {
  try {
    return `0x${normalizeSha256(context.req.param("sha256") ?? "")}`;
  } catch (cause) {
    throw new GatewayError("BLOB_HASH_INVALID", "A blob's name is 64 hexadecimal digits, with or without 0x.", {
      status: 400,
      cause,
    });
  }
};

/** `PUT`, `GET`, `HEAD /v1/blobs/:sha256` and `GET /v1/traces/:root`. */
export function addBlobRoutes(
  app: Hono<GatewayEnv>,
  { keeper, ledger, bodyLimits }: { keeper: Keeper; ledger: KeepingLedger; bodyLimits?: BodyLimits },
): void {
  app.put("/v1/blobs/:sha256", async (context) => {
    const address = requireSession(context);
    const query = uploadQuerySchema.safeParse(context.req.query());
    if (!query.success)
      throw new GatewayError(
        "BAD_REQUEST",
        `The upload's query is wrong: ${query.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")}`,
        {
          status: 400,
          hint: "Give purpose, job and (for a provider's bytes) fence.",
        },
      );
    const upload: Upload = { address, sha256: hashOf(context), ...query.data };
    const { incoming } = context.env;
    const declared = incoming.headers["content-length"];
    const max = await keeper.admit(upload, declared === undefined ? undefined : Number(declared));
    const { size, created } = await keeper.store(upload, readBody(incoming, bodyLimits), max);
    return context.json({ sha256: upload.sha256, size }, created ? 201 : 200);
  });

  app.get("/v1/blobs/:sha256", async (context) => {
    const sha256 = hashOf(context);
    const head = context.req.method === "HEAD";
    keeper.mayRead(sha256, context.var.address, head);
    const found = await keeper.blobs.stat(sha256);
    if (found === undefined) throw new GatewayError("BLOB_NOT_FOUND", `Blob ${sha256} is not here.`, { status: 404 });
    return sendBlob(context, keeper, sha256, found.size, head);
  });

  app.get("/v1/traces/:root", async (context) => {
    const root = context.req.param("root").toLowerCase() as Hex;
    const sha256 = keeper.claims.trace(root);
    if (sha256 === undefined)
      throw new GatewayError("NOT_FOUND", `No trace with root ${root} is here.`, { status: 404 });
    const claims = keeper.claims.of(sha256);
    if (!claims.some(({ job }) => ledger.isCommitted(job, root)))
      throw new GatewayError("UNCOMMITTED", `The trace with root ${root} is not committed yet.`, { status: 403 });
    const found = await keeper.blobs.stat(sha256);
    if (found === undefined)
      throw new GatewayError("NOT_FOUND", `No trace with root ${root} is here.`, { status: 404 });
    return sendBlob(context, keeper, sha256, found.size, context.req.method === "HEAD");
  });
}

export function requireSession(context: Context<GatewayEnv>): string {
  const { address } = context.var;
  if (address !== undefined) return address;
  throw new GatewayError("UNAUTHORIZED", "This needs a session.", {
    status: 401,
    hint: "POST /v1/session/challenge, sign the message, POST /v1/session.",
  });
}

/** Sends a file through Node's own pipe: a web stream in between halves the throughput. */
async function sendBlob(
  context: Context<GatewayEnv>,
  keeper: Keeper,
  sha256: Hex,
  size: number,
  head: boolean,
): Promise<Response> {
  const { outgoing } = context.env;
  const immutable = {
    "content-type": "application/octet-stream",
    "content-length": String(size),
    etag: `"${sha256}"`,
    "cache-control": "private, immutable, max-age=31536000",
    "access-control-allow-origin": "*",
    "x-content-type-options": "nosniff",
  };
  if (head) {
    outgoing.writeHead(200, immutable).end();
    return RESPONSE_ALREADY_SENT;
  }
  const source = await keeper.blobs.stream(sha256);
  outgoing.writeHead(200, immutable);
  try {
    await pipeline(source, outgoing);
  } catch (error) {
    // The reader went away, or the file did while it was being sent: the short body tells the reader.
    outgoing.destroy(error instanceof Error ? error : undefined);
  }
  return RESPONSE_ALREADY_SENT;
}
