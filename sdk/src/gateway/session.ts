import type { LocalAccount } from "viem";
import { parseSiweMessage } from "viem/siwe";
import type { z } from "zod";
import { GatewayError, type GatewayErrorCode } from "./errors.ts";
import { canSendBytes, sendBytes } from "./sendBytes.ts";
import { challengeResponseSchema, errorBodySchema, sessionResponseSchema } from "./wire.ts";

/** Longest life of a challenge that a client will sign. */
const MAX_CHALLENGE_MS = 15 * 60_000;

export interface OpenSessionParameters {
  /** the verifier's public address, as registered: `http(s)://host:port[/path]` */
  readonly endpoint: string;
  readonly account: Pick<LocalAccount, "address" | "signMessage">;
  /** refuse challenges for another chain; left out, any chain id is signed */
  readonly chainId?: number;
  readonly fetch?: typeof fetch;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
  /** per request, 30 s by default */
  readonly timeoutMs?: number;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: BodyInit;
  /** sent as JSON, in place of `body` */
  readonly json?: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** statuses beside 2xx that the caller handles itself */
  readonly accept?: readonly number[];
}

export interface GatewaySession {
  readonly endpoint: string;
  readonly address: string;
  /** Sends a request with the session's token; opens the session anew, once, when the gateway answers 401. */
  request(path: string, options?: RequestOptions): Promise<Response>;
  /** A token that the gateway accepted last; pass the one that was refused to have it replaced. */
  token(refused?: string): Promise<string>;
}

/** Joins an endpoint (which may have a path) and an absolute API path. */
export const gatewayUrl = (endpoint: string, path: string): string => `${endpoint.replace(/\/+$/, "")}${path}`;

/** One request to a gateway; answers outside 2xx become a {@link GatewayError} with the gateway's own code and words. */
export async function gatewayRequest(
  endpoint: string,
  path: string,
  options: RequestOptions & { fetch?: typeof fetch | undefined } = {},
): Promise<Response> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 30_000);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const body = options.json ?? options.body;
  const init: RequestInit = {
    method: options.method ?? "GET",
    headers: { ...(options.json === undefined ? {} : { "content-type": "application/json" }), ...options.headers },
    signal,
    redirect: "error",
    ...(body === undefined ? {} : { body }),
  };
  const url = gatewayUrl(endpoint, path);
  const isUpload = body instanceof Uint8Array && options.fetch === undefined && canSendBytes;
  const send = () =>
    isUpload
      ? sendBytes(url, { method: options.method, headers: init.headers as Record<string, string>, body, signal })
      : (options.fetch ?? fetch)(url, init);
  let response: Response;
  try {
    // Every call of this API may be repeated, and a kept-alive connection that the other side has closed says nothing about it.
    response = await send().catch((error: unknown) => {
      if (signal.aborted || !brokeOff(error)) throw error;
      return send();
    });
  } catch (cause) {
    if (options.signal?.aborted) throw options.signal.reason;
    if (timeout.aborted)
      throw new GatewayError("GATEWAY_TIMEOUT", `${endpoint} did not answer ${path} in time.`, { cause });
    throw new GatewayError("GATEWAY_UNREACHABLE", `${endpoint} cannot be reached.`, {
      hint: "The verifier may be down; others hold the same bytes.",
      cause,
    });
  }
  if (response.ok || options.accept?.includes(response.status)) return response;
  throw await errorFromResponse(endpoint, path, response);
}

function brokeOff(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
}

async function errorFromResponse(endpoint: string, path: string, response: Response): Promise<GatewayError> {
  const { status } = response;
  const text = await response.text().catch((cause: unknown) => `(body unreadable: ${String(cause)})`);
  const parsed = errorBodySchema.safeParse(parseJson(text));
  if (!parsed.success)
    return new GatewayError("GATEWAY_BAD_ANSWER", `${endpoint} answered ${status} to ${path}: ${text.slice(0, 200)}`, {
      status,
      hint: "Is this address a GPUChain gateway?",
    });
  const { code, message, hint } = parsed.data.error;
  return new GatewayError(code as GatewayErrorCode, message, { status, hint });
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    return { unparsable: String(cause) };
  }
};

/** Reads a JSON answer and checks its form. @throws GatewayError `GATEWAY_BAD_ANSWER` */
export async function readJson<T extends z.ZodType>(response: Response, schema: T): Promise<z.output<T>> {
  const parsed = schema.safeParse(parseJson(await response.text()));
  if (parsed.success) return parsed.data;
  throw new GatewayError(
    "GATEWAY_BAD_ANSWER",
    `${response.url} answered something unexpected: ${parsed.error.message}`,
    {
      status: response.status,
      cause: parsed.error,
    },
  );
}

/**
 * Opens an authenticated session with a verifier's gateway: asks for an EIP-4361 challenge, checks that it is for this endpoint and
 * address before signing it, and trades the signature for a bearer token.
 *
 * @throws GatewayError `GATEWAY_UNREACHABLE`, `CHALLENGE_SUSPICIOUS`, or what the gateway answers
 */
export async function openSession(parameters: OpenSessionParameters): Promise<GatewaySession> {
  const { endpoint, account, signal, timeoutMs } = parameters;
  const common = { fetch: parameters.fetch, signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  let current = "";
  let opening: Promise<string> | undefined;

  const open = async (): Promise<string> => {
    const asked = await gatewayRequest(endpoint, "/v1/session/challenge", {
      ...common,
      method: "POST",
      json: JSON.stringify({ address: account.address }),
    });
    const { message } = await readJson(asked, challengeResponseSchema);
    checkChallenge(message, parameters);
    const signature = await account.signMessage({ message });
    const answer = await gatewayRequest(endpoint, "/v1/session", {
      ...common,
      method: "POST",
      json: JSON.stringify({ message, signature }),
    });
    current = (await readJson(answer, sessionResponseSchema)).token;
    return current;
  };
  const token = (refused?: string): Promise<string> => {
    if (current !== "" && current !== refused) return Promise.resolve(current);
    opening ??= open().finally(() => {
      opening = undefined;
    });
    return opening;
  };
  const request = async (path: string, options: RequestOptions = {}): Promise<Response> => {
    const send = (bearer: string) =>
      gatewayRequest(endpoint, path, {
        ...common,
        ...options,
        headers: { ...options.headers, authorization: `Bearer ${bearer}` },
      });
    const used = await token();
    try {
      return await send(used);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status !== 401) throw error;
      return send(await token(used));
    }
  };
  await token();
  return { endpoint, address: account.address.toLowerCase(), request, token };
}

/** A challenge is signed only if it cannot serve anyone but this gateway, for this account, for a short time. */
function checkChallenge(message: string, { endpoint, account, chainId, now = Date.now }: OpenSessionParameters): void {
  const fields = parseSiweMessage(message);
  const suspicious = (what: string) =>
    new GatewayError("CHALLENGE_SUSPICIOUS", `${endpoint} asked to sign a challenge ${what}.`, {
      hint: "Nothing was signed. The endpoint may be relaying another verifier's challenge, or its public address is set wrongly.",
    });
  const host = new URL(endpoint).host;
  if (fields.domain !== host) throw suspicious(`for "${fields.domain}" instead of "${host}"`);
  if (fields.address?.toLowerCase() !== account.address.toLowerCase()) throw suspicious("for another address");
  if (chainId !== undefined && fields.chainId !== chainId) throw suspicious(`for chain ${fields.chainId}`);
  const expires = fields.expirationTime?.getTime();
  if (expires === undefined || !fields.nonce) throw suspicious("without nonce or expiry");
  // Clocks differ between machines: the life is measured from the challenge's own issue time where it has one.
  const issued = fields.issuedAt?.getTime() ?? now();
  if (expires - issued > MAX_CHALLENGE_MS) throw suspicious("that lives too long");
}
