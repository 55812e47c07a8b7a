export { type CreateKeystoreOptions, createKeystore, openKeystore, readKeystoreAddress } from "./keystore.ts";
export { type ResolvePasswordParameters, resolvePassword } from "./password.ts";
