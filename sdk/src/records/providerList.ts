import { z } from "zod";
import { concatBytes, fromHex, type Hex, toHex } from "./bytes.ts";
import { RecordError } from "./errors.ts";
import { keccak256 } from "./merkle.ts";

const MAX_PROVIDERS = 10_000;

/** Addresses in lower case and rising order, each once: one set of providers has one form. */
export const providerListSchema = z
  .array(
    z
      .string()
      .regex(/^0x[0-9a-f]{40}$/, "expected an address, 0x and 40 lower-case hex digits")
      .transform((address) => address as Hex),
  )
  .min(1)
  .max(MAX_PROVIDERS)
  .refine((list) => list.every((address, i) => i === 0 || (list[i - 1] as string) < address), {
    message: "must stand in rising order, each once",
  });

/**
 * Addresses, written in any way and in any order, as a spec's `providers` holds them.
 *
 * @throws RecordError `BAD_JOB_SPEC` when one is no address, or there are none
 * @example
 * const spec = { ...draft, providers: providerList(["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]) };
 */
export function providerList(addresses: readonly string[]): Hex[] {
  const sorted = [...new Set(addresses.map((address) => address.toLowerCase()))].sort();
  const result = providerListSchema.safeParse(sorted);
  if (result.success) return result.data;
  const [problem] = result.error.issues;
  const which = sorted[Number(problem?.path[0])];
  throw new RecordError(
    "BAD_JOB_SPEC",
    `The list of providers is not valid: ${which === undefined ? "" : `"${which.slice(0, 80)}": `}${problem?.message}.`,
  );
}

/**
 * Root of a list of providers: the `eligibilityRoot` of a job's terms.
 *
 * @throws RecordError `BAD_JOB_SPEC` when the list is empty
 */
export function providersRoot(list: readonly Hex[]): Hex {
  return toHex(treeOf(list)[0] as Uint8Array);
}

/**
 * What `acquireLease` wants to see of a provider on the list; undefined for one that is not on it.
 *
 * @example
 * const proof = providerProof(spec.providers, address);
 */
export function providerProof(list: readonly Hex[], provider: string): Hex[] | undefined {
  const tree = treeOf(list);
  const leaf = toHex(leafOf(provider));
  const proof: Hex[] = [];
  let at = tree.findLastIndex((node, index) => index >= list.length - 1 && toHex(node) === leaf);
  if (at < 0) return undefined;
  for (; at > 0; at = (at - 1) >> 1) proof.push(toHex(tree[at % 2 === 0 ? at - 1 : at + 1] as Uint8Array));
  return proof;
}

/** An address as Solidity's ABI lays it out, hashed twice, so that no inner node can pass for a leaf. */
const leafOf = (address: string): Uint8Array =>
  keccak256(keccak256(concatBytes(new Uint8Array(12), fromHex(address, 20))));

/** OpenZeppelin's standard tree: a heap whose leaves stand at the end, sorted by hash, the first of them last; pairs are hashed in order. */
function treeOf(list: readonly Hex[]): Uint8Array[] {
  if (list.length === 0) throw new RecordError("BAD_JOB_SPEC", "A list of providers needs at least one.");
  const tree = list.map(leafOf).sort(compare).reverse();
  tree.unshift(...new Array<Uint8Array>(list.length - 1));
  for (let i = list.length - 2; i >= 0; i--) {
    const pair = [tree[2 * i + 1] as Uint8Array, tree[2 * i + 2] as Uint8Array].sort(compare);
    tree[i] = keccak256(...pair);
  }
  return tree;
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, i) => byte !== b[i]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}
