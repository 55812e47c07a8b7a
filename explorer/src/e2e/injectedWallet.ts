// A wallet as a browser's extension injects it (EIP-1193): it holds one key outside the page, and signs when it is asked to.
import type { Page } from "playwright-core";
import { createWalletClient, defineChain, type Hex, http, type LocalAccount, toHex } from "viem";

export interface InjectedWallet {
  /** methods that it was asked for, in order */
  readonly asked: string[];
  /** the chain that it says it is on */
  chainId: number;
  /** whether it goes to another chain when a page asks it to */
  switches: boolean;
  /** whether its owner signs what it is asked to */
  signs: boolean;
}

export interface WalletOptions {
  readonly account: LocalAccount;
  /** where it sends what it signed */
  readonly rpc: string;
  readonly chainId: number;
  readonly switches?: boolean;
  /** announces itself by this name (EIP-6963); without one it is only `window.ethereum` */
  readonly name?: string;
}

/** Injects a wallet into every document that the page opens from now on. */
export async function injectWallet(page: Page, options: WalletOptions): Promise<InjectedWallet> {
  const { account, rpc } = options;
  const wallet: InjectedWallet = {
    asked: [],
    chainId: options.chainId,
    switches: options.switches ?? true,
    signs: true,
  };
  const chain = defineChain({
    id: 31337,
    name: "anvil",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpc] } },
  });
  const signer = createWalletClient({ account, chain, transport: http(rpc) });
  const answer = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    wallet.asked.push(method);
    switch (method) {
      case "eth_requestAccounts":
      case "eth_accounts":
        return [account.address];
      case "eth_chainId":
        return toHex(wallet.chainId);
      case "wallet_switchEthereumChain":
        if (!wallet.switches) throw Object.assign(new Error("User rejected the request."), { code: 4001 });
        wallet.chainId = Number((params[0] as { chainId: Hex }).chainId);
        return null;
      case "eth_sendTransaction": {
        if (!wallet.signs) throw Object.assign(new Error("User rejected the request."), { code: 4001 });
        const { to, data, gas } = params[0] as { to: Hex; data: Hex; gas?: Hex };
        return await signer.sendTransaction({ to, data, ...(gas && { gas: BigInt(gas) }) });
      }
      default:
        throw Object.assign(new Error(`${method} is not supported`), { code: 4200 });
    }
  };
  await page.exposeFunction("askWallet", (method: string, params: readonly unknown[] = []) =>
    answer(method, params).then(
      (result) => ({ result }),
      (error: Error & { code?: number }) => ({ error: { message: error.message, code: error.code ?? -32603 } }),
    ),
  );
  await page.addInitScript(inject, options.name ?? "");
  return wallet;
}

type Answer = { result?: unknown; error?: { message: string; code: number } };

/** Runs in the page, before its own scripts. */
function inject(name: string): void {
  const page = globalThis as unknown as Window & {
    askWallet(method: string, params?: readonly unknown[]): Promise<Answer>;
    ethereum?: unknown;
  };
  const provider = {
    async request({ method, params }: { method: string; params?: readonly unknown[] }): Promise<unknown> {
      const { result, error } = await page.askWallet(method, params);
      if (error) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
    on: () => provider,
    removeListener: () => provider,
  };
  if (name === "") {
    page.ethereum = provider;
    return;
  }
  const info = { uuid: "350670db-19fa-4704-a166-e52e178b59d2", name, icon: "data:image/svg+xml,", rdns: "org.example" };
  const announce = () =>
    page.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
  page.addEventListener("eip6963:requestProvider", announce);
  announce();
}
