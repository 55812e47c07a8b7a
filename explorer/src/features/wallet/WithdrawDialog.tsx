import { useEffect, useState } from "react";
import type { Address, WalletClient } from "viem";
import { useClient } from "../../chain/useClient.ts";
import { useConfig } from "../../config/ConfigContext.ts";
import { shortHash } from "../../format/hash.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Hash } from "../../ui/Hash.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { NoChain } from "../../ui/NoChain.tsx";
import { listWallets, type WalletChoice, withdrawAll } from "./wallets.ts";

type Step =
  | { readonly at: "choose" | "connecting" | "trying" | "signing" | "mining" }
  | { readonly at: "other"; readonly address: Address }
  | { readonly at: "done"; readonly hash: string }
  | { readonly at: "failed"; readonly reason: string };

const SAYS = {
  choose: "",
  connecting: "Asking the wallet …",
  trying: "Trying the call on the chain, before anything is signed …",
  signing: "Sign in your wallet.",
  mining: "Sent. Waiting for its block …",
} as const;

/** Pays out everything claimable, to the wallet itself. */
export function WithdrawDialog(props: {
  account: Address;
  claimable: bigint;
  onClose: () => void;
  onDone: () => void;
}) {
  const { account, claimable, onClose, onDone } = props;
  const client = useClient();
  const site = useConfig();
  const [wallets, setWallets] = useState<readonly WalletChoice[]>([]);
  const [step, setStep] = useState<Step>({ at: "choose" });
  useEffect(() => {
    if (client.state === "ready") setWallets(listWallets(site, client.chain));
  }, [client, site]);
  const mine = wallets.filter((w) => w.address === undefined || same(w.address, account));

  const go = async (wallet: WalletChoice) => {
    if (client.state !== "ready") return;
    try {
      setStep({ at: "connecting" });
      const connected: { address: Address; client: WalletClient } = await wallet.connect();
      if (!same(connected.address, account)) return setStep({ at: "other", address: connected.address });
      const hash = await withdrawAll(client.chain, connected, (at) => setStep({ at }));
      setStep({ at: "done", hash });
      onDone();
    } catch (error) {
      setStep({ at: "failed", reason: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) });
    }
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Withdraw ${formatUsdc(claimable)} USDC`}
      description={`From the escrow to ${shortHash(account)}, all of it.`}
    >
      <div aria-live="polite">
        {client.state !== "ready" && <NoChain client={client} />}
        {step.at === "done" ? (
          <p className="verdict">
            <Icon name="check" />
            Paid. Transaction <Hash value={step.hash} />
          </p>
        ) : step.at === "other" ? (
          <p className="bad">
            That wallet is {shortHash(step.address)}. Only {shortHash(account)} can withdraw this. Switch the account
            and try again.
          </p>
        ) : step.at === "failed" ? (
          <p className="bad">{step.reason}</p>
        ) : (
          step.at !== "choose" && <p>{SAYS[step.at]}</p>
        )}
      </div>
      {step.at === "done" ? (
        <button type="button" className="btn" onClick={onClose}>
          Close
        </button>
      ) : (
        <div className="walletlist">
          {mine.map((wallet) => (
            <button
              key={wallet.id}
              type="button"
              className="btn"
              disabled={
                step.at === "connecting" || step.at === "trying" || step.at === "signing" || step.at === "mining"
              }
              onClick={() => void go(wallet)}
            >
              {wallet.label}
            </button>
          ))}
          {client.state === "ready" && mine.length === 0 && (
            <p className="dim">
              No wallet here. Install one in this browser, or use the node’s own: gpuchain-node withdraw.
            </p>
          )}
        </div>
      )}
    </Dialog>
  );
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
