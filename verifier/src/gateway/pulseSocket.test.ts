import { createPulseLink, MAX_PULSE_FRAME, PULSE_SUBPROTOCOL, type PulseStatus } from "@gpuchain/sdk/gateway";
import { type Hex, sha256Hex } from "@gpuchain/sdk/records";
import { describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { newAccount, startTestGateway, type TestGateway } from "./testGateway.ts";

const edges = (test: TestGateway) => {
  const seen: string[] = [];
  test.hub.subscribe({ onEdge: (_address, up) => seen.push(up ? "up" : "down") });
  return seen;
};

describe("pulse", () => {
  it("beats, is acknowledged, and says what the node does", async () => {
    await using test = await startTestGateway();
    const account = newAccount();
    const session = await test.session(account);
    const status: PulseStatus = { jobId: 1n, fence: 2n, step: 7, standby: false };
    const beat = new Promise((resolve) => test.hub.subscribe({ onBeat: (_, said) => resolve(said) }));
    const link = createPulseLink({
      session,
      beatEveryMs: 20,
      status: () => status,
      onStatesRequest: async () => new Map(),
    });
    expect(await beat).toEqual(status);
    await vi.waitFor(() => expect(link.lastAckAt).toBeGreaterThan(0));
    expect(test.hub.pulse(session.address)).toMatchObject({ open: 1, closedAt: undefined });
    link.close();
    await vi.waitFor(() =>
      expect(test.hub.pulse(session.address)).toMatchObject({ open: 0, closedAt: expect.any(Number) }),
    );
  });

  it("comes back at once after a cut connection, also when the gateway has forgotten the session", async () => {
    const first = await startTestGateway();
    const { port } = first.gateway;
    const session = await first.session();
    const seen = edges(first);
    const link = createPulseLink({
      session,
      beatEveryMs: 50,
      status: () => ({ standby: true }),
      onStatesRequest: async () => new Map(),
    });
    await vi.waitFor(() => expect(seen).toEqual(["up"]));
    first.gateway.server.closeAllConnections();
    first.hub.closeAll("test");
    await vi.waitFor(() => expect(seen).toEqual(["up", "down", "up"]));
    await first[Symbol.asyncDispose]();
    await using second = await startTestGateway({ port });
    await vi.waitFor(() => expect(second.hub.connections).toBe(1), 5_000);
    link.close();
  });

  it("uploads the states that an audit asks for, and names those it no longer has", async () => {
    await using test = await startTestGateway();
    const account = newAccount();
    const session = await test.session(account);
    const hash32 = sha256Hex(Uint8Array.of());
    const job = {
      client: "0x0",
      specHash: hash32,
      genesisHash: hash32,
      budget: 0n,
      settledAt: undefined,
      seated: true,
    };
    test.ledger.jobs.set(1n, job);
    test.ledger.fences.set("1/2", { provider: account.address, state: "pending" });
    const state = Uint8Array.from([1, 2, 3]);
    const [kept, lost]: Hex[] = [sha256Hex(state), sha256Hex(Uint8Array.from([4]))];
    const link = createPulseLink({
      session,
      beatEveryMs: 1000,
      status: () => ({ standby: true }),
      onStatesRequest: async ({ checkpointId }) => new Map(checkpointId === 5n ? [[kept as Hex, state]] : []),
    });
    await vi.waitFor(() => expect(link.connected).toBe(true));
    const hashes = [kept as Hex, lost as Hex];
    const door = test.keeper.expectStates(1n, 2n, hashes);
    const request = { jobId: 1n, fence: 2n, checkpointId: 5n, stateHashes: hashes };
    const answer = await test.hub.requestStates(session.address, request, AbortSignal.timeout(5_000));
    door.close();
    expect(answer).toMatchObject({ uploaded: [kept], missing: [lost] });
    expect(await test.keeper.blobs.get(kept as Hex)).toEqual(state);
    link.close();
    await vi.waitFor(() => expect(test.hub.connections).toBe(0));
    expect(await test.hub.requestStates(session.address, request, AbortSignal.timeout(5_000))).toEqual({
      uploaded: [],
      missing: hashes,
    });
  });

  it("answers at once with nothing when the connection goes while states are awaited", async () => {
    await using test = await startTestGateway();
    const session = await test.session();
    let asked: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const link = createPulseLink({
      session,
      beatEveryMs: 1000,
      status: () => ({ standby: true }),
      onStatesRequest: () => {
        asked();
        return new Promise(() => undefined);
      },
    });
    await vi.waitFor(() => expect(link.connected).toBe(true));
    const hash = sha256Hex(Uint8Array.from([9]));
    const request = { jobId: 1n, fence: 2n, checkpointId: 5n, stateHashes: [hash] };
    const answer = test.hub.requestStates(session.address, request, AbortSignal.timeout(20_000));
    await reached;
    link.close();
    expect(await answer).toEqual({ uploaded: [], missing: [hash] });
  });

  it("asks again on another connection when the one that carried the request goes", async () => {
    await using test = await startTestGateway();
    const session = await test.session();
    const url = `${test.gateway.endpoint.replace("http", "ws")}/v1/pulse`;
    const headers = { authorization: `Bearer ${await session.token()}` };
    /** An open pulse that collects what it is asked and answers nothing. */
    const connect = async () => {
      const before = test.hub.connections;
      const socket = new WebSocket(url, PULSE_SUBPROTOCOL, { headers });
      const asked: { id: string }[] = [];
      socket.on("message", (data) => {
        const message = JSON.parse(data.toString());
        if (message.type === "states") asked.push(message);
      });
      await vi.waitFor(() => expect(test.hub.connections).toBe(before + 1));
      return { socket, asked };
    };
    const first = await connect();
    const hash = sha256Hex(Uint8Array.from([9]));
    const request = { jobId: 1n, fence: 2n, checkpointId: 5n, stateHashes: [hash] };
    const answer = test.hub.requestStates(session.address, request, AbortSignal.timeout(20_000));
    await vi.waitFor(() => expect(first.asked).toHaveLength(1));
    // A node that reconnects: the new connection is there before the old one's end is noticed.
    const second = await connect();
    first.socket.terminate();
    await vi.waitFor(() => expect(second.asked).toHaveLength(1));
    second.socket.send(JSON.stringify({ type: "statesDone", id: second.asked[0]?.id, uploaded: [], missing: [hash] }));
    expect(await answer).toMatchObject({ uploaded: [], missing: [hash] });
    second.socket.terminate();
  });

  it("refuses strangers, and ends a connection that talks nonsense or too much", async () => {
    await using test = await startTestGateway();
    const url = `${test.gateway.endpoint.replace("http", "ws")}/v1/pulse`;
    const refused = await new Promise((resolve) => new WebSocket(url).on("error", (error) => resolve(error.message)));
    expect(refused).toMatch(/401/);
    const headers = { authorization: `Bearer ${await (await test.session()).token()}` };
    const closeCode = (message: (i: number) => string) =>
      new Promise((resolve) => {
        const socket = new WebSocket(url, { headers });
        socket.on("open", () => {
          for (let i = 0; i < 6; i++) socket.send(message(i));
        });
        socket.on("close", resolve);
      });
    expect(await closeCode((i) => `nonsense ${i}`)).toBe(1008);
    expect(await closeCode(() => "x".repeat(MAX_PULSE_FRAME + 1))).toBe(1009);
    await vi.waitFor(() => expect(test.hub.connections).toBe(0));
  });
});
