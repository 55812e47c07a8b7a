// Who a person may be on a local network: throw-away accounts with coins and test USDC, for the explorer and the command line.
import path from "node:path";
import { testUsdcAbi } from "@gpuchain/sdk/chain";
import { createKeystore } from "@gpuchain/sdk/crypto";
import { createWalletClient, type HDAccount, type Hex, http, parseUnits, toHex } from "viem";
import { foundry } from "viem/chains";
import { localAccounts } from "./anvil.ts";
import { LOCAL_PASSWORD, type LocalNetwork } from "./network.ts";

/** Test USDC that a client and a guest start with. */
const POCKET_MONEY = parseUnits("10000", 6);

export interface Guests {
  /** as the explorer's configuration takes them */
  explorer: { name: string; privateKey: Hex }[];
  /** encrypted key files for the command line */
  clientKey: string;
  providerKey: string;
  passwordFile: string;
}

/** Gives the test accounts their USDC and writes the key files of a client and of one more provider. */
export async function welcomeGuests({ chain, deployment, group, passwordFile }: LocalNetwork): Promise<Guests> {
  const { client, guest, arbiter } = localAccounts;
  const wallet = createWalletClient({
    account: client,
    chain: { ...foundry, id: deployment.chainId },
    transport: http(chain.rpcUrl),
  });
  const mint = { address: deployment.contracts.usdc, abi: testUsdcAbi, functionName: "mint" } as const;
  const first = await wallet.writeContract({ ...mint, args: [client.address, POCKET_MONEY] });
  const second = await wallet.writeContract({ ...mint, args: [guest.address, POCKET_MONEY] });
  const clientKey = path.join(group.directory, "client.json");
  const providerKey = path.join(group.directory, "guest.json");
  const password = { strength: "light" } as const;
  await createKeystore(clientKey, LOCAL_PASSWORD, { ...password, privateKey: keyOf(client) });
  await createKeystore(providerKey, LOCAL_PASSWORD, { ...password, privateKey: keyOf(guest) });
  for (const hash of [first, second]) {
    const { status } = await chain.public.waitForTransactionReceipt({ hash });
    if (status !== "success") throw new Error("the test USDC was not minted");
  }
  const explorer = [
    { name: "Client", privateKey: keyOf(client) },
    { name: "Guest", privateKey: keyOf(guest) },
    { name: "Arbiter", privateKey: keyOf(arbiter) },
  ];
  return { explorer, clientKey, providerKey, passwordFile };
}

function keyOf(account: HDAccount): Hex {
  const { privateKey } = account.getHdKey();
  if (!privateKey) throw new Error("a test account has no key");
  return toHex(privateKey);
}
