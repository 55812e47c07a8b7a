import { escrowAbi, fromContractError } from "@gpuchain/sdk/chain";
import { createConfig, getConnectors, injected } from "@wagmi/core";
import {
  type Address,
  BaseError,
  ChainMismatchError,
  createWalletClient,
  custom,
  defineChain,
  type EIP1193Provider,
  http,
  UserRejectedRequestError,
  type WalletClient,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { ChainAccess } from "../../chain/access.ts";
import type { SiteConfig } from "../../config/config.ts";

export interface WalletChoice {
  readonly id: string;
  readonly label: string;
  /** known before connecting for local accounts only */
  readonly address: Address | undefined;
  readonly connect: () => Promise<{ address: Address; client: WalletClient }>;
}

/** Wallets that can sign here: those the browser offers, and a local chain's throw-away accounts. */
export function listWallets(site: SiteConfig, { deployment, rpc }: ChainAccess): WalletChoice[] {
  const chain = defineChain({
    id: deployment.chainId,
    name: site.name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpc] } },
  });
  const local = site.localAccounts.map(({ name, privateKey }): WalletChoice => {
    const account = privateKeyToAccount(privateKey);
    const client = createWalletClient({ account, chain, transport: http(rpc) });
    const connected = { address: account.address, client };
    return {
      id: account.address,
      label: `${name} (local chain)`,
      address: account.address,
      connect: () => Promise.resolve(connected),
    };
  });
  const wagmi = createConfig({ chains: [chain], connectors: [injected()], transports: { [chain.id]: http(rpc) } });
  // Those that announce themselves have a name; the unnamed one stands for a wallet that doesn't, and needs one to be there.
  const found = getConnectors(wagmi);
  const named = found.filter(({ id }) => id !== "injected");
  const offered = named.length > 0 ? named : found.filter(() => "ethereum" in globalThis);
  const browser = offered.map(
    (connector): WalletChoice => ({
      id: connector.uid,
      label: connector.id === "injected" ? "Browser wallet" : connector.name,
      address: undefined,
      async connect() {
        const { accounts } = await connector.connect();
        const address = accounts[0];
        if (!address) throw new Error("The wallet offers no account.");
        // It may decline to switch, or not know this chain: what it is on afterwards decides.
        if ((await connector.getChainId()) !== chain.id) {
          await connector.switchChain?.({ chainId: chain.id }).catch(() => undefined);
        }
        const id = await connector.getChainId();
        if (id !== chain.id) throw new WrongChain(id, chain.id);
        const provider = (await connector.getProvider()) as EIP1193Provider;
        return { address, client: createWalletClient({ account: address, chain, transport: custom(provider) }) };
      },
    }),
  );
  return [...local, ...browser];
}

/**
 * Withdraws everything claimable to the wallet itself. The call is tried on the chain before the wallet is asked to sign.
 * @returns the mined transaction's hash
 */
export async function withdrawAll(
  { client: reader, deployment }: ChainAccess,
  wallet: { address: Address; client: WalletClient },
  onStep: (step: "trying" | "signing" | "mining") => void,
): Promise<`0x${string}`> {
  let sent: `0x${string}` | undefined;
  try {
    onStep("trying");
    const chainId = await wallet.client.getChainId();
    if (chainId !== deployment.chainId) throw new WrongChain(chainId, deployment.chainId);
    const { request } = await reader.public.simulateContract({
      address: deployment.contracts.escrow,
      abi: escrowAbi,
      functionName: "withdraw",
      args: [wallet.address],
      account: wallet.client.account ?? wallet.address,
      ...(wallet.client.chain && { chain: wallet.client.chain }),
    });
    onStep("signing");
    sent = await wallet.client.writeContract(request);
    onStep("mining");
    const receipt = await reader.public.waitForTransactionReceipt({ hash: sent, timeout: 120_000 });
    if (receipt.status !== "success") throw new MinedAndFailed(sent);
    return sent;
  } catch (error) {
    if (sent !== undefined) throw error instanceof MinedAndFailed ? error : new Unseen(sent, error);
    // Between the trying and the signing its owner may go to another chain: nothing was sent then.
    if (error instanceof BaseError && error.walk((one) => one instanceof ChainMismatchError) !== null) {
      throw new WrongChain(await wallet.client.getChainId(), deployment.chainId);
    }
    throw readable(error);
  }
}

class WrongChain extends Error {
  constructor(wallet: number, site: number) {
    super(`The wallet is on chain ${wallet}; this is chain ${site}. Switch it and try again.`);
  }
}

class MinedAndFailed extends Error {
  constructor(hash: string) {
    super(`${hash} was mined and failed. Nothing was paid.`);
  }
}

/** What was sent may be mined at any time: its owner needs its hash, and must not hear that nothing was sent. */
class Unseen extends Error {
  constructor(hash: string, cause: unknown) {
    const why =
      cause instanceof BaseError ? cause.shortMessage : cause instanceof Error ? cause.message : String(cause);
    super(`Sent as ${hash}; its block could not be seen: ${why} Look again before you send another.`, { cause });
  }
}

function readable(error: unknown): Error {
  if (error instanceof WrongChain) return error;
  // By the code that wallets give for it, not by words: an RPC denies things too.
  const declined = error instanceof BaseError && error.walk((one) => one instanceof UserRejectedRequestError) !== null;
  if (declined) return new Error("You declined in the wallet. Nothing was sent.");
  return fromContractError(error, "withdraw");
}
