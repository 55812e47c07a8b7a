import { formatUsdc, type Logger, parseAddressText, parseUsdc } from "@gpuchain/sdk/daemon";
import { gatewayRequest } from "@gpuchain/sdk/gateway";
import { createOwnerCalls } from "../chain/ownerCalls.ts";
import type { ConnectionConfig } from "../config.ts";
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
    `status     ${verifier.status === "None" ? "not registered (start with --register)" : verifier.status}`,
  );
  if (verifier.status !== "None") {
    context.print(`endpoint   ${verifier.endpoint}`);
    context.print(`seats      ${verifier.seats}`);
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
  const { calls } = await act(config, context);
  await calls.requestExit();
  context.print(
    "exit requested: no new seats; keep the daemon running until `status` shows no seats, then run withdraw-bond",
  );
}

/** Makes the bond claimable once the unbonding time is over and no seat is held; seats of settled jobs are given back first. */
export async function withdrawBond(config: ConnectionConfig, context: Context): Promise<void> {
  const { calls, client, account } = await act(config, context);
  let { seats: held } = await client.read.getVerifier({ account: account.address });
  if (held > 0)
    for (const { jobId } of await client.read.listJobs({ status: ["Settled"] })) {
      const { seats } = await client.read.getSeats({ jobId });
      if (!seats.some(({ verifier }) => verifier.toLowerCase() === account.address.toLowerCase())) continue;
      await calls.releaseSeats(jobId);
      held = (await client.read.getVerifier({ account: account.address })).seats;
      if (held === 0) break;
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
