import { deriveEncryptionKeys } from "@gpuchain/sdk/crypto";
import { formatUsdc, GpuchainError, type Logger, parseAddressText, parseUsdc } from "@gpuchain/sdk/daemon";
import { gatewayRequest } from "@gpuchain/sdk/gateway";
import { createOwnerCalls } from "../chain/ownerCalls.ts";
import { registerVerifier } from "../chain/register.ts";
import { seatsToGiveBack } from "../chain/seatsToGiveBack.ts";
import type { ConnectionConfig, VerifierConfig } from "../config.ts";
import { connect, openAccount } from "./connect.ts";

interface Context {
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly print: (line: string) => void;
}

async function act(config: ConnectionConfig, context: Context) {
  const connection = await connect(config, context);
  const account = await openAccount(config, { ...context, create: false });
  return { ...connection, account, calls: createOwnerCalls(connection.client, connection.sender(account)) };
}

/** Registers and bonds without running: at once where the daemon runs elsewhere, or before its first start. */
export async function register(config: VerifierConfig, context: Context): Promise<void> {
  if (config.endpoint === undefined)
    throw new GpuchainError("CONFIG_MISSING", "nodes have to know where the gateway is", {
      hint: "give --endpoint with its public address; `start --register` takes the address where it listens",
    });
  const { client, sender } = await connect(config, context);
  const account = await openAccount(config, { ...context, create: true });
  const { endpoint, fee, templates, bond } = config;
  const { publicKey: encryptionKey } = await deriveEncryptionKeys(account);
  await registerVerifier({
    client,
    sender: sender(account),
    endpoint,
    encryptionKey,
    fee,
    templates,
    bond,
    log: context.log,
  });
  context.print(`${account.address} is registered with ${endpoint}; it may be drawn from now on, so start it`);
}

/** Shows what this verifier is, holds and earns. */
export async function status(config: ConnectionConfig, context: Context): Promise<void> {
  const { client, account } = await act(config, context);
  const [verifier, money, gas] = await Promise.all([
    client.read.getVerifier({ account: account.address }),
    client.read.getAccount({ account: account.address }),
    client.public.getBalance({ address: account.address }),
  ]);
  context.print(`address    ${account.address}`);
  context.print(
    `status     ${verifier.status === "None" ? "not registered (run register, or start with --register)" : verifier.status}`,
  );
  if (verifier.status !== "None") {
    context.print(`endpoint   ${verifier.endpoint}`);
    context.print(`seats      ${verifier.seats}`);
    if (verifier.status === "Exiting") {
      const from = new Date(verifier.exitAt * 1000).toISOString();
      context.print(`bond free  ${verifier.seats > 0 ? "a whole unbonding time after the last seat" : from}`);
    }
  }
  context.print(`bond       ${formatUsdc(money.bond)} USDC, ${formatUsdc(money.reserved)} of it reserved`);
  context.print(`claimable  ${formatUsdc(money.claimable)} USDC`);
  context.print(`gas        ${gas} wei`);
  if (verifier.status !== "None") context.print(`gateway    ${await gatewayState(verifier.endpoint, context.signal)}`);
}

async function gatewayState(endpoint: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await gatewayRequest(endpoint, "/healthz", { signal, timeoutMs: 3_000, accept: [503] });
    return `${response.ok ? "healthy" : "not healthy"} ${await response.text()}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Adds to the bond. */
export async function addBond(config: ConnectionConfig, amount: string, context: Context): Promise<void> {
  const value = parseUsdc(amount);
  const { calls, account } = await act(config, context);
  await calls.addBond(account.address, value);
  context.print(`${formatUsdc(value)} USDC added to the bond`);
}

/** Leaves: no new seats from now on. */
export async function exitVerifier(config: ConnectionConfig, context: Context): Promise<void> {
  const { calls, client } = await act(config, context);
  await calls.requestExit();
  const { unbondingPeriod } = await client.read.getLimits();
  context.print(
    "exit requested: no new seats. Keep the daemon running: it judges to the end of its jobs and gives each seat back. " +
      `Once \`status\` shows no seats, the bond still answers for the last votes for ${unbondingPeriod} s; then run withdraw-bond`,
  );
}

/**
 * Makes the bond claimable once no seat is held and the unbonding time since the last one is over. Seats that the daemon had no time to give
 * back are given back first.
 */
export async function withdrawBond(config: ConnectionConfig, context: Context): Promise<void> {
  const { calls, client, account } = await act(config, context);
  const { seats } = await client.read.getVerifier({ account: account.address });
  if (seats > 0) {
    for (const jobId of await seatsToGiveBack(client, account.address)) await calls.releaseSeats(jobId);
    const { seats: held, exitAt } = await client.read.getVerifier({ account: account.address });
    if (held > 0)
      throw new GpuchainError("STILL_SEATED", `${held} seats are held on jobs that go on`, {
        hint: "keep the daemon running until they end, or until somebody takes the seats over",
      });
    context.print(`the last seats are given back: the bond is free from ${new Date(exitAt * 1000).toISOString()} on`);
    return;
  }
  await calls.withdrawBond();
  context.print("the bond is claimable now: run withdraw");
}

/** Pulls what is claimable to an address. */
export async function withdraw(config: ConnectionConfig, to: string | undefined, context: Context): Promise<void> {
  const { calls, client, account } = await act(config, context);
  const { claimable } = await client.read.getAccount({ account: account.address });
  if (claimable === 0n) return context.print(`nothing to withdraw: ${account.address} has nothing claimable`);
  const target = to === undefined ? account.address : parseAddressText(to);
  const { hash } = await calls.withdraw(target);
  context.print(`${formatUsdc(claimable)} USDC to ${target} in ${hash}`);
}
