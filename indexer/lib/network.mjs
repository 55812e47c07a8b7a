import { StartError } from "./settings.mjs";

const ANSWER_MS = 10_000;

/**
 * Checks that the chain is the deployment's and finds out whether it offers a WebSocket.
 * @param {{ rpcUrl: string, wsUrl?: string, deployment: { chainId: number, startBlock: number, contracts: Record<string, string> } }} settings
 * @returns {Promise<{ httpUrl: string, wsUrl?: string, anchorHash: string }>} `anchorHash`: hash of the deployment's first block
 */
export async function checkChain({ rpcUrl, wsUrl, deployment }) {
  const httpUrl = rpcUrl.replace(/^ws/, "http");
  const chainId = Number(await request(httpUrl, "eth_chainId", []));
  if (chainId !== deployment.chainId) {
    throw new StartError(
      `The RPC serves chain ${chainId}, the deployment is on chain ${deployment.chainId}.`,
      "Give the RPC of the deployment's chain, or the deployment of this chain.",
    );
  }
  const block = await request(httpUrl, "eth_getBlockByNumber", [`0x${deployment.startBlock.toString(16)}`, false]);
  if (!block) {
    throw new StartError(
      `The chain has no block ${deployment.startBlock}, where the deployment starts.`,
      "The chain was re-created after the deployment file was written: deploy again.",
    );
  }
  for (const [name, address] of Object.entries(deployment.contracts)) {
    if ((await request(httpUrl, "eth_getCode", [address, "latest"])) === "0x") {
      throw new StartError(
        `${name} has no code at ${address}.`,
        "The chain is not the one that was deployed to: deploy again.",
      );
    }
  }
  const candidate = wsUrl ?? rpcUrl.replace(/^http/, "ws");
  const reachable = await opens(candidate);
  if (wsUrl && !reachable)
    throw new StartError(`No WebSocket at PONDER_WS_URL ${wsUrl}.`, "Correct it, or unset it to poll.");
  return { httpUrl, wsUrl: reachable ? candidate : undefined, anchorHash: block.hash };
}

async function request(url, method, params) {
  let body;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    body = await response.json();
  } catch (cause) {
    throw new StartError(
      `No RPC answers at ${url} (${cause.cause?.code ?? cause.name}).`,
      "Start the chain, or correct PONDER_RPC_URL.",
    );
  }
  if (body.error)
    throw new StartError(`The RPC refuses ${method}: ${body.error.message}.`, "Use an RPC that serves it.");
  return body.result;
}

/** Node 20 has no global WebSocket; Ponder brings `ws`. */
async function opens(url) {
  const { WebSocket } = await import("ws");
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { handshakeTimeout: 2_000 });
    socket.once("open", () => {
      socket.terminate();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
