/** A JSON-RPC failure, with what the node said. */
export class RpcError extends Error {
  override readonly name = "RpcError";
}

/**
 * One JSON-RPC call over plain HTTP. The header's block number needs no more than this, so that a page that never touches a
 * contract never loads a contract library.
 */
export async function rpcCall<T>(address: string, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(8_000),
  });
  if (!response.ok) throw new RpcError(`${new URL(address).host} answered ${response.status}`);
  const body = (await response.json()) as { result?: T; error?: { message?: string } };
  if (body.error) throw new RpcError(body.error.message ?? "The RPC refused the call.");
  return body.result as T;
}

export const toHttp = (address: string): string => address.replace(/^ws(s?):/, "http$1:");
