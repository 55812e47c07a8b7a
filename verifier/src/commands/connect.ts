import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import {
  assertDeployment,
  createGpuchainClient,
  createMemoryIntentStore,
  createSender,
  loadDeployment,
} from "@gpuchain/sdk/chain";
import { createKeystore, openKeystore, resolvePassword } from "@gpuchain/sdk/crypto";
import { GpuchainError, type Logger } from "@gpuchain/sdk/daemon";
import type { LocalAccount } from "viem";
import { type ConnectionConfig, keystorePath } from "../config.ts";

/** Opens the key file, or makes one where `create` allows it. */
export async function openAccount(
  config: ConnectionConfig,
  { create, signal, log }: { create: boolean; signal: AbortSignal; log: Logger },
): Promise<LocalAccount> {
  const path = keystorePath(config);
  const exists = existsSync(path);
  if (!exists && (!create || config.keystore !== undefined))
    throw new GpuchainError("KEYSTORE_MISSING", `there is no key file at ${path}`, {
      hint: "give --keystore, or start the verifier once: it makes a key in its data folder",
    });
  const password = await resolvePassword({
    file: config.passwordFile,
    value: config.password,
    prompt: exists ? `password of ${path}: ` : `new password for ${path}: `,
    signal,
  });
  if (exists) return openKeystore(path, password);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const account = await createKeystore(path, password);
  log.info({ address: account.address, path }, "new key made; keep a copy of this file and its password");
  return account;
}

/** A checked connection for a one-off command, and a sender that keeps its intents in memory. */
export async function connect(config: ConnectionConfig, { signal, log }: { signal: AbortSignal; log: Logger }) {
  const deployment = loadDeployment(config.deployment);
  const client = createGpuchainClient({ rpc: config.rpc, deployment, signal, log });
  await assertDeployment(client);
  return {
    client,
    deployment,
    sender: (account: LocalAccount) =>
      createSender({ client, account, intents: createMemoryIntentStore(), log, signal }),
  };
}
