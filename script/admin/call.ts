// One owner's or arbiter's call: shown with its effect before anything is signed.
import {
  createMemoryIntentStore,
  createSender,
  decodeEvent,
  fromContractError,
  type GpuchainClient,
} from "@gpuchain/sdk/chain";
import { GpuchainError } from "@gpuchain/sdk/daemon";
import { type Abi, type Address, encodeFunctionData, type LocalAccount, type Log } from "viem";
import { toJson } from "../lib/sources.ts";

export interface AdminCall {
  address: Address;
  abi: Abi;
  functionName: string;
  args: readonly unknown[];
  /** what it does, for a person */
  meaning: string;
}

/** What the call would do: the events it would emit, decoded. @throws GpuchainError with the contract's own reason when it would revert */
export async function previewCall(client: GpuchainClient, from: Address, call: AdminCall): Promise<string[]> {
  const data = encodeFunctionData(call);
  let logs: Log<bigint, number, false>[];
  try {
    const { results } = await client.public.simulateCalls({
      account: from,
      calls: [{ to: call.address, data }],
    });
    const [result] = results;
    if (result?.status !== "success") throw result?.error ?? new Error("the node gave no result");
    logs = (result.logs ?? []) as Log<bigint, number, false>[];
  } catch (error) {
    throw fromContractError(error, call.functionName);
  }
  return logs.map((log) => {
    const event = decodeEvent(client.deployment.contracts, log);
    return event
      ? `${event.contract}.${event.eventName} ${JSON.stringify(toJson(event.args))}`
      : `log of ${log.address}`;
  });
}

/** Signs, sends and waits. @returns the transaction's hash */
export async function sendCall(
  client: GpuchainClient,
  account: LocalAccount,
  call: AdminCall,
  signal: AbortSignal,
): Promise<string> {
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: (_: object, text: string) => console.error(text), error: quiet };
  const sender = createSender({ client, account, intents: createMemoryIntentStore(), log, signal });
  const { hash, receipt } = await sender.send({ intent: `admin:${call.functionName}:${Date.now()}`, ...call });
  if (receipt.status !== "success") throw new GpuchainError("REVERTED", `${call.functionName} was mined and reverted`);
  return hash;
}
