import { describe, expect, it } from "vitest";
import { fromHex, type Hex, toHex } from "./bytes.ts";
import { keccak256 } from "./merkle.ts";
import { providerList, providerProof, providersRoot } from "./providerList.ts";

const accounts = (count: number) =>
  Array.from({ length: count }, (_, i) => `0x${(i + 1).toString(16).padStart(2, "0").repeat(20)}` as Hex);

/** As OpenZeppelin's `MerkleProof.processProof` folds it. */
const fold = (leaf: Uint8Array, proof: readonly Hex[]): Hex =>
  proof.reduce((node, sibling) => {
    const [low, high] = [node, sibling].sort() as [Hex, Hex];
    return toHex(keccak256(fromHex(low), fromHex(high)));
  }, toHex(leaf));

describe("a list of providers", () => {
  it.each([
    [1, "0xf321ce56216c8215eea40ec9a074b88b9a702f8faf64fc45c6d4882f9c02eab7"],
    [2, "0x676c0964686b9164103457620ea47bb5079a424b0a162cb6f8b3652bca3064b3"],
    [3, "0x5d0ee50e4de96b94659c16ff3acf389d3cf381648d8a18dbd0020329a3a5adc5"],
    [5, "0xbf89c89bec1148deb7aff7b6422cfa8276a15eed83cc56dea1cd68e914160756"],
    [8, "0x189c761ca655b4a3bf38b14725fa701c6cb00f6c3da87edf650d3c0f63fbe88c"],
  ])("of %i has the root that @openzeppelin/merkle-tree 1.0.8 gives", (count, root) => {
    expect(providersRoot(accounts(count))).toBe(root);
  });

  it("proves each of its own, and nobody else", () => {
    for (let count = 1; count <= 33; count++) {
      const list = accounts(count);
      const root = providersRoot(list);
      for (const account of list) {
        const leaf = keccak256(keccak256(new Uint8Array(12), fromHex(account)));
        expect(fold(leaf, providerProof(list, account) ?? [])).toBe(root);
      }
      expect(providerProof(list, `0x${"ee".repeat(20)}`)).toBeUndefined();
    }
  });

  it("has one form, however it was written, and names what is no address", () => {
    const [a, b] = accounts(2) as [Hex, Hex];
    expect(providerList([b.toUpperCase().replace("0X", "0x"), a, b])).toEqual([a, b]);
    expect(() => providerList([a, "0x1234"])).toThrow(/"0x1234": expected an address/);
    expect(() => providerList([])).toThrow(/not valid/);
  });
});
