import { GatewayError, openSession } from "@gpuchain/sdk/gateway";
import { describe, expect, it } from "vitest";
import { newAccount, startTestGateway } from "./testGateway.ts";

const post = (url: string, body: unknown) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

describe("sessions", () => {
  it("opens one by a signed challenge and finds the address behind the token", async () => {
    await using test = await startTestGateway();
    const account = newAccount();
    const session = await test.session(account);
    test.ledger.verifiers.add(account.address.toLowerCase());
    const response = await session.request("/healthz");
    expect(await response.json()).toEqual({ ok: true });
    expect(test.gateway.sessions).toBe(1);
  });

  it("takes a challenge once, by its own address only", async () => {
    await using test = await startTestGateway();
    const account = newAccount();
    const { endpoint } = test.gateway;
    const { message } = (await (
      await post(`${endpoint}/v1/session/challenge`, { address: account.address })
    ).json()) as { message: string };
    const stolen = await post(`${endpoint}/v1/session`, {
      message,
      signature: await newAccount().signMessage({ message }),
    });
    expect(stolen.status).toBe(403);
    // A wrong signature uses the challenge up too: nobody can guess against it.
    const signature = await account.signMessage({ message });
    const late = await post(`${endpoint}/v1/session`, { message, signature });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ error: { code: "CHALLENGE_REPLAYED" } });
    const made = message.replace(/Nonce: \w+/, "Nonce: abcdefgh12345678");
    const forged = await post(`${endpoint}/v1/session`, {
      message: made,
      signature: await account.signMessage({ message: made }),
    });
    expect(await forged.json()).toMatchObject({ error: { code: "CHALLENGE_REJECTED" } });
  });

  it("opens itself anew when the gateway no longer knows the token", async () => {
    const account = newAccount();
    const first = await startTestGateway();
    const { port } = first.gateway;
    const session = await first.session(account);
    await first[Symbol.asyncDispose]();
    await using second = await startTestGateway({ port });
    const upload = await session.request("/v1/blobs/0x00", { method: "PUT", accept: [400] });
    expect(upload.status).toBe(400);
    expect(second.gateway.sessions).toBe(1);
  });

  it("does not sign a challenge that is for another gateway, chain or address", async () => {
    await using relayed = await startTestGateway();
    const account = newAccount();
    await using relay = await startTestGateway({ endpoint: relayed.gateway.endpoint });
    const endpoint = `http://127.0.0.1:${relay.gateway.port}`;
    await expect(openSession({ endpoint, account })).rejects.toMatchObject({ code: "CHALLENGE_SUSPICIOUS" });
    await expect(openSession({ endpoint: relayed.gateway.endpoint, account, chainId: 1 })).rejects.toThrow(
      /chain 31337/,
    );
  });

  it("says when nobody answers, and that trying again may help", async () => {
    const test = await startTestGateway();
    const { endpoint } = test.gateway;
    await test[Symbol.asyncDispose]();
    const failure = await openSession({ endpoint, account: newAccount() }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GatewayError);
    expect(failure).toMatchObject({ code: "GATEWAY_UNREACHABLE", retryable: true });
  });

  it("limits how much one address may ask", async () => {
    await using test = await startTestGateway({ requestsPerSecond: 0.01 });
    await using other = await startTestGateway();
    const ask = async ({ gateway }: typeof test) => (await fetch(`${gateway.endpoint}/v1/evidence/1`)).status;
    const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(test)));
    expect(statuses).toContain(429);
    expect(await Promise.all(Array.from({ length: 20 }, () => ask(other)))).not.toContain(429);
  });
});
