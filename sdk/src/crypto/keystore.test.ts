import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAddress } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createKeystore, openKeystore, readKeystoreAddress } from "./keystore.ts";
import { resolvePassword } from "./password.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "keys-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** The two examples of the Web3 Secret Storage definition: PBKDF2 and scrypt, one key. */
const key = "0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
const crypto = { cipher: "aes-128-ctr" };
const published = {
  pbkdf2: {
    ...crypto,
    cipherparams: { iv: "6087dab2f9fdbbfaddc31a909735c1e6" },
    ciphertext: "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
    kdf: "pbkdf2",
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: "hmac-sha256",
      salt: "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd",
    },
    mac: "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2",
  },
  scrypt: {
    ...crypto,
    cipherparams: { iv: "83dbcc02d8ccb40e466191a123791e0e" },
    ciphertext: "d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c",
    kdf: "scrypt",
    kdfparams: {
      dklen: 32,
      n: 262144,
      r: 1,
      p: 8,
      salt: "ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19",
    },
    mac: "2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097",
  },
};

function write(content: unknown): string {
  const path = join(dir, "key.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
  return path;
}

describe("keystore", () => {
  it("opens what it wrote; the file is its owner's alone and holds no plain key", async () => {
    const path = join(dir, "key.json");
    const account = await createKeystore(path, "päss wörd", { strength: "light", privateKey: key });
    expect((await openKeystore(path, "päss wörd")).address).toBe(account.address);
    expect(account.address).toBe(privateKeyToAddress(key));
    expect((await readKeystoreAddress(path))?.toLowerCase()).toBe(account.address.toLowerCase());
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).not.toContain(key.slice(2));
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      version: 3,
      crypto: { kdf: "scrypt", cipher: "aes-128-ctr" },
    });
  });

  it.each(["pbkdf2", "scrypt"] as const)("opens the %s example of the format's definition", async (kdf) => {
    const path = write({ crypto: published[kdf], id: "3198bc9c-6672-5ab3-d995-4942343ae5b6", version: 3 });
    expect((await openKeystore(path, "testpassword")).address).toBe(privateKeyToAddress(key));
    expect(await readKeystoreAddress(path)).toBeUndefined();
  });

  it("says what is wrong with a key file, each in its own way", async () => {
    const made = join(dir, "made.json");
    await createKeystore(made, "testpassword", { strength: "light" });
    const good = JSON.parse(readFileSync(made, "utf8"));
    await expect(openKeystore(join(dir, "none"), "x")).rejects.toMatchObject({ code: "KEYSTORE_MISSING" });
    await expect(openKeystore(write("no JSON"), "x")).rejects.toMatchObject({ code: "KEYSTORE_INVALID" });
    await expect(openKeystore(write({ ...good, version: 1 }), "x")).rejects.toMatchObject({ code: "KEYSTORE_INVALID" });
    const greedy = { ...good.crypto, kdfparams: { ...good.crypto.kdfparams, n: 2 ** 40 } };
    await expect(openKeystore(write({ ...good, crypto: greedy }), "x")).rejects.toMatchObject({
      code: "KEYSTORE_INVALID",
    });
    await expect(openKeystore(write(good), "wrong")).rejects.toMatchObject({ code: "KEYSTORE_PASSWORD" });
    chmodSync(join(dir, "key.json"), 0o644);
    await expect(openKeystore(join(dir, "key.json"), "testpassword")).rejects.toMatchObject({
      code: "KEYSTORE_PERMISSIONS",
    });
    await expect(createKeystore(join(dir, "key.json"), "x")).rejects.toMatchObject({ code: "KEYSTORE_EXISTS" });
  });
});

describe("resolvePassword", () => {
  it("takes the first line of a file, else a variable, else says how to give one", async () => {
    const file = write("secret\nsecond line\n");
    expect(await resolvePassword({ file, value: "other" })).toBe("secret");
    expect(await resolvePassword({ value: "other" })).toBe("other");
    await expect(resolvePassword({})).rejects.toMatchObject({ code: "PASSWORD_MISSING" });
    await expect(resolvePassword({ file: join(dir, "none") })).rejects.toMatchObject({ code: "PASSWORD_MISSING" });
  });
});
