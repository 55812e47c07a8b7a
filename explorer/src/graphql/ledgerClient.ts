import { type Client, cacheExchange, createClient, fetchExchange, gql } from "urql";

const clients = new Map<string, Client>();

/** One client a ledger. Answers are not cached: the ledger grows with every block. */
export function ledgerClient(base: string): Client {
  let client = clients.get(base);
  if (!client) {
    client = createClient({
      url: `${base}/graphql`,
      exchanges: [cacheExchange, fetchExchange],
      requestPolicy: "network-only",
      preferGetMethod: false,
      fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(10_000) }),
    });
    clients.set(base, client);
  }
  return client;
}

export const JOURNAL = gql`
  query Journal($after: Int!, $limit: Int!) {
    journals(where: { seq_gt: $after }, orderBy: "seq", orderDirection: "asc", limit: $limit) {
      items {
        seq
        block
        timestamp
        txHash
        logIndex
        contract
        name
        args
      }
    }
  }
`;
