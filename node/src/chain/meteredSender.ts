import type { GpuchainClient, Sender, SendResult } from "@gpuchain/sdk/chain";
import { isGpuchainError } from "@gpuchain/sdk/daemon";
import type { Hex } from "@gpuchain/sdk/records";
import type { TransactionReceipt } from "viem";

/** What one transaction cost. */
export interface GasPaid {
  readonly hash: Hex;
  readonly intent: string;
  /** in wei of the native coin, the fee for the layer below included where a rollup asks one */
  readonly wei: bigint;
}

/** A sender that tells what each of its transactions cost, those included that failed in their block. */
export function meteredSender(
  sender: Sender,
  client: Pick<GpuchainClient, "public">,
  onPaid: (paid: GasPaid) => void,
): Sender {
  const book = (intent: string, receipt: TransactionReceipt) =>
    onPaid({ hash: receipt.transactionHash, intent, wei: costOf(receipt) });
  const settled = (intent: string, result: SendResult | undefined) => {
    if (result !== undefined) book(intent, result.receipt);
    return result;
  };
  return {
    address: sender.address,
    get open() {
      return sender.open;
    },
    resume: () => sender.resume(),
    find: async (intent) => settled(intent, await sender.find(intent)),
    async send(parameters) {
      try {
        const result = await sender.send(parameters);
        book(parameters.intent, result.receipt);
        return result;
      } catch (error) {
        const hash = isGpuchainError(error, "REVERTED") ? error.data.hash : undefined;
        if (typeof hash === "string")
          book(parameters.intent, await client.public.getTransactionReceipt({ hash: hash as Hex }));
        throw error;
      }
    },
  };
}

function costOf(receipt: TransactionReceipt): bigint {
  const { l1Fee } = receipt as { l1Fee?: bigint | Hex | null };
  return receipt.gasUsed * receipt.effectiveGasPrice + BigInt(l1Fee ?? 0);
}
