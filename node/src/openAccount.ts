import { createKeystore, openKeystore, resolvePassword } from "@gpuchain/sdk/crypto";
import { isGpuchainError, type Logger } from "@gpuchain/sdk/daemon";
import type { LocalAccount } from "viem";
import { type ConnectionConfig, keystorePath } from "./config.ts";

/** The account of a key file, which is made where there is none and `create` allows it. */
export async function openAccount(config: ConnectionConfig, log: Logger, create: boolean): Promise<LocalAccount> {
  const path = keystorePath(config);
  const password = await resolvePassword({
    file: config.passwordFile,
    value: config.password,
    prompt: `password for ${path}: `,
  });
  try {
    return await openKeystore(path, password);
  } catch (error) {
    if (!create || !isGpuchainError(error, "KEYSTORE_MISSING")) throw error;
    const account = await createKeystore(path, password);
    log.info(
      { path, address: account.address },
      `new key made: ${account.address}. Back up ${path}: it is the node's money`,
    );
    return account;
  }
}
