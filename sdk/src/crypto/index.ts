export { deriveEncryptionKeys, type EncryptionKeys, openKey, sealKey } from "./encryptionKeys.ts";
export { heldOutKeyOf, sealHeldOut } from "./heldOutSeal.ts";
export { type CreateKeystoreOptions, createKeystore, openKeystore, readKeystoreAddress } from "./keystore.ts";
export { type ResolvePasswordParameters, resolvePassword } from "./password.ts";
export { openBytes, sealBytes } from "./sealedStream.ts";
