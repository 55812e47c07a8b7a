import { randomBytes, scrypt } from "node:crypto";
import { open, readFile, rm, stat } from "node:fs/promises";
import * as Keystore from "ox/Keystore";
import type { Hex, PrivateKeyAccount } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { GpuchainError } from "../daemon/errors.ts";

export interface CreateKeystoreOptions {
  /** Default: a new random key. */
  privateKey?: Hex;
  /** How dear each guess at the password is made: `light` (4,096) is for tests and throw-away networks. */
  strength?: "standard" | "light";
}

const costs = { standard: 262_144, light: 4_096 } as const;
const largestCost = 1 << 20;

/**
 * Writes a key, encrypted, as a standard Ethereum V3 keystore (scrypt, AES-128-CTR), readable by its owner alone. Never
 * overwrites: KEYSTORE_EXISTS.
 *
 * @returns the account of the key.
 */
export async function createKeystore(
  path: string,
  password: string,
  options: CreateKeystoreOptions = {},
): Promise<PrivateKeyAccount> {
  // Asked before the dear derivation; `writeNew` makes sure all the same.
  if (
    await stat(path).then(
      () => true,
      () => false,
    )
  )
    throw keystoreExists(path);
  const privateKey = options.privateKey ?? generatePrivateKey();
  const account = privateKeyToAccount(privateKey);
  const kdfparams = {
    dklen: 32,
    n: costs[options.strength ?? "standard"],
    r: 8,
    p: 1,
    salt: randomBytes(32).toString("hex"),
  };
  const key = await deriveScrypt(password, kdfparams);
  const sealed = Keystore.encrypt(privateKey, key, { kdf: "scrypt", kdfparams, iv: randomBytes(16) });
  const content = { address: account.address.slice(2).toLowerCase(), ...sealed };
  await writeNew(path, `${JSON.stringify(content)}\n`);
  return account;
}

/**
 * Opens a V3 keystore (scrypt or PBKDF2).
 *
 * Errors: KEYSTORE_MISSING, KEYSTORE_PERMISSIONS (others may read it), KEYSTORE_INVALID (no such file format),
 * KEYSTORE_PASSWORD (wrong password or damaged file).
 */
export async function openKeystore(path: string, password: string): Promise<PrivateKeyAccount> {
  const keystore = await readKeystore(path);
  const { kdfparams } = keystore.crypto;
  const key =
    "n" in kdfparams && isNativeScrypt(kdfparams)
      ? await deriveScrypt(password, kdfparams)
      : Keystore.toKey(keystore, { password: password.normalize("NFKC") });
  let privateKey: Hex;
  try {
    privateKey = Keystore.decrypt(keystore, key);
  } catch (error) {
    throw new GpuchainError("KEYSTORE_PASSWORD", `the password does not open ${path}`, {
      hint: "check the password file or variable; the file may also be damaged",
      cause: error,
    });
  }
  const account = accountOf(privateKey);
  if (account !== undefined) return account;
  throw new GpuchainError("KEYSTORE_INVALID", `${path} holds no key of an account`, { hint: "make a new key file" });
}

/** The account of a key; undefined for a number that is none. The library's own message would show the number. */
export function accountOf(privateKey: Hex): PrivateKeyAccount | undefined {
  try {
    return privateKeyToAccount(privateKey);
  } catch {
    return undefined;
  }
}

/** The address a keystore says it holds, without its password; undefined where the file does not tell. */
export async function readKeystoreAddress(path: string): Promise<Hex | undefined> {
  const { address } = (await readKeystore(path)) as { address?: unknown };
  if (typeof address !== "string" || !/^(0x)?[0-9a-fA-F]{40}$/.test(address)) return undefined;
  return `0x${address.replace(/^0x/, "").toLowerCase()}`;
}

async function readKeystore(path: string): Promise<Keystore.Keystore> {
  let text: string;
  try {
    const { mode } = await stat(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new GpuchainError("KEYSTORE_PERMISSIONS", `${path} can be read by other users of this machine`, {
        hint: `run: chmod 600 ${path}`,
      });
    }
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof GpuchainError) throw error;
    throw new GpuchainError("KEYSTORE_MISSING", `cannot read the key file ${path}`, {
      hint: "check the path, or make a new key file",
      cause: error,
    });
  }
  const keystore = parseKeystore(text);
  if (keystore === undefined) {
    throw new GpuchainError("KEYSTORE_INVALID", `${path} is not an Ethereum V3 key file`, {
      hint: "give the JSON key file itself, with scrypt or PBKDF2 and AES-128-CTR",
    });
  }
  return keystore;
}

function parseKeystore(text: string): Keystore.Keystore | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const file = value as { version?: unknown; crypto?: unknown; Crypto?: unknown } | null;
  const crypto = (file?.crypto ?? file?.Crypto) as
    | {
        cipher?: unknown;
        ciphertext?: unknown;
        mac?: unknown;
        cipherparams?: { iv?: unknown };
        kdf?: unknown;
        kdfparams?: Record<string, unknown>;
      }
    | undefined;
  const isHex = (field: unknown) => typeof field === "string" && /^([0-9a-fA-F]{2})+$/.test(field);
  const parameters = crypto?.kdfparams;
  if (Number(file?.version) !== 3 || crypto?.cipher !== "aes-128-ctr" || parameters === undefined) return undefined;
  if (![crypto.ciphertext, crypto.mac, crypto.cipherparams?.iv, parameters.salt].every(isHex)) return undefined;
  const fits =
    crypto.kdf === "scrypt"
      ? [parameters.n, parameters.r, parameters.p].every((field) => Number.isSafeInteger(field) && Number(field) > 0) &&
        Number(parameters.n) <= largestCost
      : crypto.kdf === "pbkdf2" && Number.isSafeInteger(parameters.c) && parameters.prf === "hmac-sha256";
  return fits ? ({ ...(value as object), crypto } as Keystore.Keystore) : undefined;
}

/** OpenSSL keeps to a bound of the RFC that the format's own published example breaks; such files take the slow way. */
function isNativeScrypt({ n, r }: { n: number; r: number }): boolean {
  return n < 2 ** Math.min(16 * r, 52);
}

/** Node's own scrypt: off the main thread, and several times faster than one in JavaScript. */
function deriveScrypt(
  password: string,
  params: { n: number; r: number; p: number; dklen: number; salt: string },
): Promise<Hex> {
  const { n, r, p, dklen, salt } = params;
  return new Promise((resolve, reject) => {
    scrypt(
      password.normalize("NFKC"),
      Buffer.from(salt, "hex"),
      Math.max(dklen, 32),
      { N: n, r, p, maxmem: 128 * n * r * p + (32 << 20) },
      (error, key) => (error === null ? resolve(`0x${key.toString("hex")}`) : reject(error)),
    );
  });
}

function keystoreExists(path: string, cause?: unknown): GpuchainError {
  return new GpuchainError("KEYSTORE_EXISTS", `${path} exists already`, {
    hint: "use it, or choose another path; a key file is never overwritten",
    cause,
  });
}

async function writeNew(path: string, text: string): Promise<void> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, "wx", 0o600);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      throw keystoreExists(path, error);
    }
    throw error;
  }
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
