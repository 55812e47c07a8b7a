import { encodeAbiParameters, keccak256 as viemKeccak } from "viem";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "./sha256.ts";
import { evidenceHash, predictionsRoot, toScore } from "./verdict.ts";

const VERIFIER = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";

describe("verdict evidence", () => {
  it("is the ABI's own encoding", () => {
    const root = sha256Hex(Uint8Array.of(7));
    const id = (3n << 32n) | 5n;
    const encoded = encodeAbiParameters(
      [{ type: "bytes32" }, { type: "address" }, { type: "uint256" }],
      [root, VERIFIER, id],
    );
    expect(evidenceHash(root, VERIFIER, id)).toBe(viemKeccak(encoded));
  });

  it("commits to every prediction", () => {
    const predictions = [
      { index: 4, predicted: 1, nll: 0.25 },
      { index: 9, predicted: 0, nll: 0.5 },
    ];
    const [first, second] = predictions as [(typeof predictions)[0], (typeof predictions)[0]];
    const roots = [
      predictionsRoot(predictions),
      predictionsRoot([second, first]),
      predictionsRoot([{ ...first, index: 5 }, second]),
      predictionsRoot([{ ...first, predicted: 0 }, second]),
      predictionsRoot([{ ...first, nll: 0.2500001 }, second]),
    ];
    expect(new Set(roots).size).toBe(roots.length);
  });

  it("scores in millionths, within bounds", () => {
    expect([0.95, 1.2, -1, 0.1234567].map(toScore)).toEqual([950_000, 1_000_000, 0, 123_457]);
  });
});
