import type { Abi, ContractFunctionArgs, ContractFunctionName } from "viem";
import type { Deployment } from "./deployment.ts";
import { decodeEvent, type GpuchainEvent, type GpuchainEventArgs, type GpuchainEventName } from "./events.ts";
import { contractAbis } from "./reader.ts";
import type { Sender, SendParameters, SendResult } from "./sender/types.ts";

type Abis = typeof contractAbis;
type Writable = "nonpayable" | "payable";

export type WriteOptions = Pick<SendParameters, "intent" | "deadline" | "gas" | "simulate">;

export interface WriteResult extends SendResult {
  /** The protocol's events in the transaction, in order. */
  events: GpuchainEvent[];
}

/**
 * Sends a call to one of the deployment's contracts, with its arguments checked against the contract's ABI.
 *
 * @example
 * const { events } = await write(sender, deployment, "jobs", "acquireLease", [1n, []], { intent: "acquire:1:1" });
 */
export async function write<
  Contract extends keyof Abis,
  const Name extends ContractFunctionName<Abis[Contract], Writable>,
  const Args extends ContractFunctionArgs<Abis[Contract], Writable, Name>,
>(
  sender: Sender,
  deployment: Deployment,
  contract: Contract,
  functionName: Name,
  args: Args,
  options: WriteOptions,
): Promise<WriteResult> {
  const address = deployment.contracts[contract];
  const abi: Abi = contractAbis[contract];
  const result = await sender.send({ ...options, address, abi, functionName, args: args as readonly unknown[] });
  return { ...result, events: eventsOf(deployment, result) };
}

/** The protocol's events in a mined transaction, in order. */
export function eventsOf(deployment: Deployment, { receipt }: Pick<SendResult, "receipt">): GpuchainEvent[] {
  return receipt.logs
    .map((log) => decodeEvent(deployment.contracts, log))
    .filter((event): event is GpuchainEvent => event !== undefined);
}

/** The arguments of the first event of a name; throws when a successful call did not emit it. */
export function eventArgs<Name extends GpuchainEventName>(
  events: readonly GpuchainEvent[],
  name: Name,
): GpuchainEventArgs<Name> {
  const found = events.find((event) => event.eventName === name);
  if (found === undefined) throw new TypeError(`the transaction has no ${name} event`);
  return found.args as GpuchainEventArgs<Name>;
}
