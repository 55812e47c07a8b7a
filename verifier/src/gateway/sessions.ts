import { randomBytes } from "node:crypto";
import { GatewayError } from "@gpuchain/sdk/gateway";
import { getAddress, type Hex, recoverMessageAddress } from "viem";
import { createSiweMessage, generateSiweNonce, parseSiweMessage } from "viem/siwe";

const CHALLENGE_MS = 5 * 60_000;
const SESSION_MS = 12 * 3_600_000;
const MAX_CHALLENGES = 10_000;
const MAX_CHALLENGES_PER_ADDRESS = 16;
const MAX_SESSIONS = 50_000;

export interface SessionsParameters {
  /** the public address under which nodes know this gateway: challenges name its host */
  readonly endpoint: string;
  readonly chainId: number;
  readonly now?: () => number;
}

export interface Sessions {
  challenge(address: string): { message: string; expiresAt: number };
  /** Trades a signed challenge for a token, once. @throws GatewayError `CHALLENGE_*` */
  open(message: string, signature: Hex): Promise<{ token: string; address: string; expiresAt: number }>;
  /** The address behind `Authorization: Bearer …`, or undefined. */
  addressOf(authorization: string | undefined | null): string | undefined;
  readonly size: number;
}

/** Sessions by EIP-4361 challenge. Tokens live in memory only: a restarted gateway answers 401 and clients open a new session. */
export function createSessions({ endpoint, chainId, now = Date.now }: SessionsParameters): Sessions {
  const { host } = new URL(endpoint);
  const challenges = new Map<string, { message: string; address: string; expiresAt: number }>();
  const used = new Map<string, number>();
  const tokens = new Map<string, { address: string; expiresAt: number }>();

  const prune = (): void => {
    const at = now();
    for (const [nonce, { expiresAt }] of challenges) if (expiresAt <= at) challenges.delete(nonce);
    for (const [nonce, expiresAt] of used) if (expiresAt <= at) used.delete(nonce);
    for (const [token, { expiresAt }] of tokens) if (expiresAt <= at) tokens.delete(token);
  };

  return {
    get size() {
      return tokens.size;
    },
    challenge(address) {
      if (challenges.size >= MAX_CHALLENGES) prune();
      const own = [...challenges].filter(([, challenge]) => challenge.address === address);
      // The oldest goes: an attacker who asks in another's name cannot lock that address out for longer than a round trip.
      if (own.length >= MAX_CHALLENGES_PER_ADDRESS) challenges.delete(own[0]?.[0] ?? "");
      if (challenges.size >= MAX_CHALLENGES)
        throw new GatewayError("TOO_MANY_REQUESTS", "Too many open challenges.", {
          status: 429,
          hint: "Try again in a minute.",
        });
      const issuedAt = now();
      const expiresAt = issuedAt + CHALLENGE_MS;
      const nonce = generateSiweNonce();
      const message = createSiweMessage({
        address: getAddress(address),
        chainId,
        domain: host,
        nonce,
        uri: endpoint,
        version: "1",
        statement: "Open a session with this GPUChain verifier. This signs nothing else and moves no money.",
        issuedAt: new Date(issuedAt),
        expirationTime: new Date(expiresAt),
      });
      challenges.set(nonce, { message, address, expiresAt });
      return { message, expiresAt };
    },
    async open(message, signature) {
      const { nonce } = parseSiweMessage(message);
      const challenge = nonce === undefined ? undefined : challenges.get(nonce);
      if (nonce === undefined || challenge === undefined || challenge.message !== message) {
        if (nonce !== undefined && used.has(nonce))
          throw new GatewayError("CHALLENGE_REPLAYED", "This challenge was used already.", {
            status: 409,
            hint: "Ask for a new one.",
          });
        throw new GatewayError("CHALLENGE_REJECTED", "This gateway did not issue that challenge.", { status: 400 });
      }
      challenges.delete(nonce);
      used.set(nonce, challenge.expiresAt);
      if (challenge.expiresAt <= now())
        throw new GatewayError("CHALLENGE_EXPIRED", "The challenge has expired.", {
          status: 410,
          hint: "Ask for a new one.",
        });
      const signer = await recoverSigner(message, signature);
      if (signer !== challenge.address)
        throw new GatewayError("CHALLENGE_REJECTED", `The challenge is for ${challenge.address}, not its signer.`, {
          status: 403,
        });
      if (tokens.size >= MAX_SESSIONS) prune();
      if (tokens.size >= MAX_SESSIONS)
        throw new GatewayError("TOO_MANY_REQUESTS", "Too many open sessions.", { status: 429 });
      const token = randomBytes(32).toString("base64url");
      const expiresAt = now() + SESSION_MS;
      tokens.set(token, { address: challenge.address, expiresAt });
      return { token, address: challenge.address, expiresAt };
    },
    addressOf(authorization) {
      const token = /^Bearer ([\w-]{20,100})$/.exec(authorization ?? "")?.[1];
      const session = token === undefined ? undefined : tokens.get(token);
      return session !== undefined && session.expiresAt > now() ? session.address : undefined;
    },
  };
}

async function recoverSigner(message: string, signature: Hex): Promise<string> {
  try {
    return (await recoverMessageAddress({ message, signature })).toLowerCase();
  } catch (cause) {
    throw new GatewayError("CHALLENGE_REJECTED", "That is no signature of the challenge.", { status: 400, cause });
  }
}
