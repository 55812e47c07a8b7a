import { type Address, type Hex, type LocalAccount, numberToHex, type PublicClient } from "viem";
import { GpuchainError } from "../../daemon/errors.ts";
import { fromContractError } from "../contractErrors.ts";
import type { SendParameters } from "./types.ts";

type Simulated = Pick<SendParameters, "functionName" | "gas" | "simulate"> & {
  account: LocalAccount;
  address: Address;
  data: Hex;
  value: bigint;
};

/** What a node's estimate can fall short by: state moves between the estimate and the block. */
const gasMargin = 30_000n;

/**
 * Tries a call before it is signed, and returns the gas to give it. A call that would revert throws REVERTED with the
 * contract's error, and nothing was spent.
 */
export async function simulateCall(client: PublicClient, parameters: Simulated): Promise<bigint> {
  const { account, address: to, data, value, gas, functionName, simulate = "pending" } = parameters;
  try {
    if (typeof simulate === "string" && gas === undefined) {
      const estimate = await client.estimateGas({ account: account.address, to, data, value, blockTag: simulate });
      return (estimate * 5n) / 4n + gasMargin;
    }
    if (gas === undefined) {
      throw new GpuchainError("CALL_FAILED", `${functionName}: give "gas" where the call is not estimated`);
    }
    if (simulate === false) return gas;
    const request = { from: account.address, to, data, value: numberToHex(value), gas: numberToHex(gas) };
    if (typeof simulate === "string") {
      await client.request({ method: "eth_call", params: [request, simulate] });
    } else {
      const overrides = { time: numberToHex(simulate.atTimestamp) };
      await client.request({ method: "eth_call", params: [request, "latest", {}, overrides] } as never);
    }
    return gas;
  } catch (error) {
    throw fromContractError(error, functionName);
  }
}
