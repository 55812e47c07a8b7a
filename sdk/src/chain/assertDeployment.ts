import { BaseError } from "viem";
import { GpuchainError } from "../daemon/errors.ts";
import { PROTOCOL_VERSION } from "./deployment.ts";
import { type ChainReader, read } from "./reader.ts";

/**
 * Checks that the chain answers, that it is the deployment's chain, that contracts stand at its addresses, and that they,
 * the file and this SDK speak the same version. Throws RPC_UNREACHABLE, WRONG_CHAIN, NO_CONTRACT or PROTOCOL_VERSION.
 */
export async function assertDeployment(client: ChainReader): Promise<void> {
  const { deployment } = client;
  const chainId = await client.public.getChainId();
  if (chainId !== deployment.chainId) {
    throw new GpuchainError(
      "WRONG_CHAIN",
      `the RPC serves chain ${chainId}, the deployment is on chain ${deployment.chainId}`,
      {
        hint: "give an RPC address of the deployment's chain, or the deployment file of this chain",
      },
    );
  }
  const addresses = Object.entries(deployment.contracts);
  const codes = await Promise.all(addresses.map(([, address]) => client.public.getCode({ address })));
  const missing = addresses.filter((_, index) => codes[index] === undefined);
  if (missing.length > 0) {
    throw new GpuchainError(
      "NO_CONTRACT",
      `no contract at ${missing.map(([name, at]) => `${at} (${name})`).join(", ")}`,
      {
        hint: "the deployment file is of another network, or the local chain was started anew: deploy again",
      },
    );
  }
  await assertProtocolVersion(client);
}

/** Throws PROTOCOL_VERSION when the contracts, the deployment file or this SDK differ. */
export async function assertProtocolVersion(client: ChainReader): Promise<void> {
  const onChain = await readVersion(client);
  const inFile = client.deployment.protocolVersion;
  if (onChain === PROTOCOL_VERSION && inFile === PROTOCOL_VERSION) return;
  const found = onChain === inFile ? `version ${onChain}` : `version ${onChain} on chain and ${inFile} in its file`;
  throw new GpuchainError(
    "PROTOCOL_VERSION",
    `this program speaks protocol version ${PROTOCOL_VERSION}, the deployment has ${found}`,
    {
      hint: "install the release that fits the deployment, or use another deployment",
      data: { ours: PROTOCOL_VERSION, onChain, inFile },
    },
  );
}

async function readVersion(client: ChainReader): Promise<number> {
  try {
    return Number(await read(client, "registry", "PROTOCOL_VERSION", []));
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (!(cause instanceof BaseError) || (error instanceof GpuchainError && error.retryable)) throw error;
    throw new GpuchainError(
      "NO_CONTRACT",
      `the contract at ${client.deployment.contracts.registry} is not our Registry`,
      {
        hint: "check the deployment file",
        cause: error,
      },
    );
  }
}
