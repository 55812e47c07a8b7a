export function checkChain(settings: {
  rpcUrl: string;
  wsUrl?: string;
  deployment: { chainId: number; startBlock: number; contracts: Record<string, string> };
}): Promise<{ httpUrl: string; wsUrl?: string; anchorHash: string }>;
