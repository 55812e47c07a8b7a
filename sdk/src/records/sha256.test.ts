import { describe, expect, it } from "vitest";
import { toHex } from "./bytes.ts";
import { createSha256, sha256Async, sha256Hex } from "./sha256.ts";

const ABC = "0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const bytes = new TextEncoder().encode("abc");

describe("sha256", () => {
  it("gives FIPS 180-4's digest of abc by every way", async () => {
    const running = createSha256();
    running.update(bytes.subarray(0, 1));
    running.update(bytes.subarray(1));
    expect([sha256Hex(bytes), await sha256Async(bytes), toHex(running.digest())]).toEqual([ABC, ABC, ABC]);
  });
});
