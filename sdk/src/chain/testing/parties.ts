import { type Hash, type LocalAccount, maxUint256 } from "viem";
import { deriveEncryptionKeys } from "../../crypto/encryptionKeys.ts";
import type { Deployment } from "../deployment.ts";
import { registryAbi, testUsdcAbi } from "../generated/index.ts";
import { contractAbis } from "../reader.ts";
import { mined, type TestChain } from "./anvil.ts";

/** Sends calls of one account in one block: for setting scenes, not for testing senders. */
export async function call(
  chain: TestChain,
  account: LocalAccount,
  calls: readonly { address: `0x${string}`; abi: readonly unknown[]; functionName: string; args: readonly unknown[] }[],
): Promise<void> {
  let nonce = await chain.test.getTransactionCount({ address: account.address });
  const hashes: Hash[] = [];
  for (const one of calls) {
    hashes.push(
      await chain.test.writeContract({ ...(one as object), account, nonce: nonce++, gas: 2_000_000n } as never),
    );
  }
  await mined(chain, hashes);
}

/** Gives an account test USDC and lets the Escrow pull it. */
export async function fund(
  chain: TestChain,
  deployment: Deployment,
  account: LocalAccount,
  amount: bigint,
): Promise<void> {
  const token = { address: deployment.contracts.usdc, abi: testUsdcAbi };
  await chain.test.setBalance({ address: account.address, value: 10n ** 19n });
  await call(chain, account, [
    { ...token, functionName: "mint", args: [account.address, amount] },
    { ...token, functionName: "approve", args: [deployment.contracts.escrow, maxUint256] },
  ]);
}

/** Registers a verifier with the least bond. */
export async function addVerifier(
  chain: TestChain,
  deployment: Deployment,
  account: LocalAccount,
  endpoint: string,
): Promise<void> {
  await fund(chain, deployment, account, 200_000_000n);
  const { publicKey: encryptionKey } = await deriveEncryptionKeys(account);
  const profile = { endpoint, encryptionKey, minFee: 0n, templateMask: 0xffff };
  const address = deployment.contracts.registry;
  await call(chain, account, [
    { address, abi: registryAbi, functionName: "registerVerifier", args: [profile, 100_000_000n] },
  ]);
}

/** Registers a provider with the given price and bond. @param said what it says of itself */
export async function addProvider(
  chain: TestChain,
  deployment: Deployment,
  account: LocalAccount,
  pricePerStep: bigint,
  said: { name?: string; metadata?: string } = {},
): Promise<void> {
  await fund(chain, deployment, account, 50_000_000n);
  const none = `0x${"0".repeat(64)}`;
  const profile = { name: "test", pricePerStep, deviceHash: none, encryptionKey: none, metadata: "{}", ...said };
  const args = [profile, account.address, 20_000_000n];
  const address = deployment.contracts.registry;
  await call(chain, account, [{ address, abi: contractAbis.registry, functionName: "registerProvider", args }]);
}
