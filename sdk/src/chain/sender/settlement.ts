import { type LocalAccount, numberToHex, type PublicClient, type TransactionReceipt } from "viem";
import { GpuchainError } from "../../daemon/errors.ts";
import { revertedError } from "../contractErrors.ts";
import { revertData, shortMessage } from "../rpcErrors.ts";
import { expired } from "./errors.ts";
import type { IntentRecord } from "./intents.ts";

/** Why an intent whose nonce was mined did not do what was asked; undefined when it did. */
export async function settlementError(
  client: PublicClient,
  account: LocalAccount,
  record: IntentRecord,
  functionName: string,
  receipt: TransactionReceipt,
): Promise<GpuchainError | undefined> {
  const winner = record.versions.find(({ hash }) => hash === receipt.transactionHash);
  if (winner?.kind === "cancel") {
    return expired(record.intent, { hash: receipt.transactionHash });
  }
  if (receipt.status === "success") return undefined;
  const extra = { hash: receipt.transactionHash, blockNumber: receipt.blockNumber };
  if (winner !== undefined && receipt.gasUsed >= winner.gas) {
    return new GpuchainError(
      "OUT_OF_GAS",
      `${functionName} ran out of its ${winner.gas} gas in ${receipt.transactionHash}`,
      {
        hint: "try again with a higher gas limit",
        data: extra,
      },
    );
  }
  const data = await replayRevert(client, account, record, receipt);
  return revertedError(data ?? "0x", functionName, extra);
}

/**
 * Runs the call again at its block's time, on the state before its block and, where it passes there, on the state after: somebody else's call
 * in the same block came first. The receipt itself does not say why it failed.
 */
async function replayRevert(
  client: PublicClient,
  account: LocalAccount,
  record: IntentRecord,
  receipt: TransactionReceipt,
) {
  try {
    const { timestamp } = await client.getBlock({ blockHash: receipt.blockHash });
    const request = { from: account.address, to: record.to, data: record.data, value: numberToHex(record.value) };
    for (const block of [receipt.blockNumber - 1n, receipt.blockNumber])
      await client.request({
        method: "eth_call",
        params: [request, numberToHex(block), {}, { time: numberToHex(timestamp) }],
      } as never);
    return undefined;
  } catch (error) {
    const data = revertData(error);
    // An endpoint without block overrides or old state cannot tell; the failure itself is certain all the same.
    if (data === undefined && shortMessage(error) === "") throw error;
    return data;
  }
}
