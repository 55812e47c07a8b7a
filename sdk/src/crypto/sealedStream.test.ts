import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../records/index.ts";
import { deriveEncryptionKeys, openKey, sealKey } from "./encryptionKeys.ts";
import { heldOutKeyOf, sealHeldOut } from "./heldOutSeal.ts";
import { openBytes, sealBytes } from "./sealedStream.ts";

const PIECE = 64 * 1024;
const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7) & 255);

describe("sealed bytes", () => {
  it("come back whole, whatever their length", async () => {
    for (const length of [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE]) {
      const { sealed, key } = await sealBytes(bytes(length));
      expect(Buffer.compare(await openBytes(sealed, key), bytes(length)), `${length} bytes`).toBe(0);
    }
  });

  it("do not open with another key, changed, reordered, cut off or drawn out", async () => {
    const { sealed, key } = await sealBytes(bytes(2 * PIECE + 5));
    const other = (await sealBytes(bytes(1))).key;
    const changed = sealed.slice();
    changed[100] = (changed[100] ?? 0) ^ 1;
    const step = PIECE + 17;
    const [first, second] = [sealed.subarray(24, 24 + step), sealed.subarray(24 + step, 24 + 2 * step)];
    const reordered = sealed.slice();
    reordered.set(second, 24);
    reordered.set(first, 24 + step);
    const longer = new Uint8Array(sealed.length + 40);
    longer.set(sealed);
    const cases: [Uint8Array, Uint8Array][] = [
      [sealed, other],
      [changed, key],
      [reordered, key],
      [sealed.subarray(0, 24 + step), key],
      [sealed.subarray(0, 10), key],
      [longer, key],
    ];
    for (const [blob, with_] of cases)
      await expect(openBytes(blob, with_)).rejects.toMatchObject({ code: "SEAL_BROKEN" });
  });

  it("are the same again for the same account and data, and others for another account", async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const plain = sha256Hex(bytes(PIECE + 9));
    const first = await sealHeldOut(account, bytes(PIECE + 9), plain);
    expect(await sealHeldOut(account, bytes(PIECE + 9), plain)).toEqual(first);
    expect(Buffer.compare(await openBytes(first.sealed, await heldOutKeyOf(account, plain)), bytes(PIECE + 9))).toBe(0);
    const other = await sealHeldOut(privateKeyToAccount(generatePrivateKey()), bytes(PIECE + 9), plain);
    expect(other.sealed).not.toEqual(first.sealed);
    await expect(openBytes(first.sealed, other.key)).rejects.toMatchObject({ code: "SEAL_BROKEN" });
  });

  it("hold nothing of the plain bytes", async () => {
    const text = new TextEncoder().encode("the same words over and over ".repeat(3_000));
    const { sealed } = await sealBytes(text);
    expect(Buffer.from(sealed).includes("same words")).toBe(false);
  });
});

describe("encryption keys", () => {
  it("follow from the account alone, and open only what was sealed to them", async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const keys = await deriveEncryptionKeys(account);
    expect(await deriveEncryptionKeys(account)).toEqual(keys);
    const sealed = await sealKey(bytes(32), keys.publicKey);
    expect(await openKey(sealed, keys)).toEqual(bytes(32));
    const others = await deriveEncryptionKeys(privateKeyToAccount(generatePrivateKey()));
    await expect(openKey(sealed, others)).rejects.toMatchObject({ code: "SEAL_BROKEN" });
  });
});
