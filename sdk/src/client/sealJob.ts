import { GpuchainError } from "../daemon/errors.ts";
import { type JobSpec, sha256Hex } from "../records/index.ts";
import type { ClientContext } from "./clientContext.ts";
import { type NamedBlob, namedBlobs } from "./namedBlobs.ts";

/** A job as it is posted: its blobs, and the key of its held-out data where those are sealed. */
export interface SealedJob {
  spec: JobSpec;
  blobs: NamedBlob[];
  heldOutKey?: Uint8Array;
}

/**
 * Puts the sealed bytes in the place of the held-out data. The key follows from the account and the data, so that a re-run after a crash
 * gives the same spec.
 *
 * Errors: BLOB_MISSING, HELD_OUT_KEY_MISSING (sealed before, and the key was not given).
 *
 * @example
 * const sealed = await sealJob({ account }, { spec, blobs });
 * console.log(sealed.spec.data.heldOut.sealed);
 */
export async function sealJob(
  { account }: Pick<ClientContext, "account">,
  given: { spec: JobSpec; blobs: readonly Uint8Array[]; seal?: boolean; heldOutKey?: Uint8Array },
): Promise<SealedJob> {
  const { spec, seal = true, heldOutKey } = given;
  const blobs = namedBlobs(spec, given.blobs);
  const { heldOut } = spec.data;
  if (heldOut.sealed) {
    if (heldOutKey === undefined) {
      throw new GpuchainError("HELD_OUT_KEY_MISSING", "the held-out data are sealed, and their key was not given", {
        hint: "give heldOutKey, or a spec with the data in the clear, which postJob seals itself",
      });
    }
    return { spec, blobs, heldOutKey };
  }
  if (!seal) return { spec, blobs };
  const plain = blobs.find(({ sha256 }) => sha256 === heldOut.sha256)?.bytes ?? new Uint8Array();
  // Loaded here: whoever only reads jobs needs no libsodium.
  const { sealHeldOut } = await import("../crypto/heldOutSeal.ts");
  const { sealed, key } = await sealHeldOut(account, plain, heldOut.plain);
  const ref = { sha256: sha256Hex(sealed), bytes: sealed.length };
  const others = blobs.filter(({ sha256 }) => sha256 !== heldOut.sha256 || sha256 === spec.data.train.sha256);
  return {
    spec: { ...spec, data: { ...spec.data, heldOut: { ...heldOut, ...ref, sealed: true } } },
    blobs: [...others, { sha256: ref.sha256, bytes: sealed }],
    heldOutKey: key,
  };
}
