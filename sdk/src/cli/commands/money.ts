import { getAddress, isAddress, parseEther } from "viem";
import { getAccount, getUsdcBalance } from "../../chain/index.ts";
import { cancelJob, disputeJob, faucet as takeFromFaucet, withdraw as withdrawAll } from "../../client/index.ts";
import { GpuchainError, parseText } from "../../daemon/index.ts";
import { usdc, when } from "../output.ts";
import { parseCheckpoint, parseFlag, parseJobId, parseSomeUsdc } from "../parseId.ts";
import type { Session } from "../session.ts";

function parseAddress(text: string): `0x${string}` {
  if (!isAddress(text))
    throw new GpuchainError("USAGE", `"${text}" is no address`, {
      hint: "check every character: the letters' case is a checksum",
    });
  return getAddress(text);
}

/** What an address has: in its wallet, and in the Escrow. */
export async function balance(session: Session, address: string | undefined): Promise<void> {
  const account = address === undefined ? await session.address() : parseAddress(address);
  if (account === undefined)
    throw new GpuchainError("USAGE", "whose balance?", { hint: "give an address, or --keystore FILE" });
  const client = await session.connect();
  const [wallet, escrow, gas] = await Promise.all([
    getUsdcBalance(client, { account }),
    getAccount(client, { account }),
    client.public.getBalance({ address: account }),
  ]);
  const { claimable, bond, reserved } = escrow;
  const ether = Number(gas) / Number(parseEther("1"));
  const value = {
    account,
    wallet: usdc(wallet),
    claimable: usdc(claimable),
    bond: usdc(bond),
    reserved: usdc(reserved),
    gasWei: gas,
  };
  session.output.result(value, () => [
    account,
    `  wallet     ${usdc(wallet)} USDC, ${ether.toFixed(6)} ether for gas`,
    `  claimable  ${usdc(claimable)} USDC${claimable > 0n ? "  (gpuchain withdraw)" : ""}`,
    ...(bond === 0n ? [] : [`  bond       ${usdc(bond)} USDC, ${usdc(reserved)} of it reserved`]),
  ]);
}

/** Takes test USDC, on networks that have a faucet. */
export async function faucet(session: Session, amount: string): Promise<void> {
  const asked = parseSomeUsdc("faucet", amount);
  const context = await session.context();
  const { balance: after } = await takeFromFaucet(context, { amount: asked });
  session.output.result(
    { account: context.account.address, balance: usdc(after) },
    () => `${context.account.address} now holds ${usdc(after)} USDC`,
  );
}

/** Pays out all that the key may claim. */
export async function withdraw(session: Session, options: { to?: string }): Promise<void> {
  const to = options.to === undefined ? undefined : parseAddress(options.to);
  const context = await session.context();
  const { amount, hash } = await withdrawAll(context, to === undefined ? {} : { to });
  session.output.result({ amount: usdc(amount), hash: hash ?? null, to: to ?? context.account.address }, () =>
    hash === undefined
      ? "nothing to withdraw"
      : `${usdc(amount)} USDC withdrawn to ${to ?? context.account.address} in ${hash}`,
  );
}

/** Winds a job up. */
export async function cancel(session: Session, job: string): Promise<void> {
  const jobId = parseJobId(job);
  const { hash, drainUntil, cancelFeeDue } = await cancelJob(await session.context(), { jobId });
  session.output.result({ jobId, hash, drainUntil, cancelFeeDue }, () => [
    `job ${jobId} is cancelled: accepted work is paid, the rest of the budget comes back when it settles`,
    `  a last commit may come until ${when(drainUntil)} UTC`,
    ...(cancelFeeDue
      ? ["  nothing is committed yet: unless something is, one round of fees is due for the draw of its verifiers"]
      : []),
  ]);
}

/** Contests an accepted checkpoint and all after it, with a bond. */
export async function dispute(
  session: Session,
  job: string,
  options: { checkpoint: string; reason: string },
): Promise<void> {
  const jobId = parseJobId(job);
  const checkpointId = parseCheckpoint(jobId, options.checkpoint);
  const reason = parseFlag("--reason", options.reason, parseText);
  const { bond, hash, reasonHash, arbiterUntil } = await disputeJob(await session.context(), {
    ...{ jobId, checkpointId, reason },
    onBond: (amount) =>
      session.output.progress(
        `the bond is ${usdc(amount)} USDC: it comes back when the arbiter agrees or stays silent`,
      ),
  });
  session.output.result({ jobId, checkpointId, bond: usdc(bond), reasonHash, hash, arbiterUntil }, () => [
    `checkpoint ${options.checkpoint} of job ${jobId} and all after it are contested, with a bond of ${usdc(bond)} USDC`,
    `  the arbiter has until ${when(arbiterUntil)} UTC; its silence means the verdict stands and the bond comes back`,
    `  keep your reason: its hash ${reasonHash} is on chain`,
  ]);
}
