import { expect, it } from "vitest";
import { type Device, encodeDevice, parseDevice } from "./device.ts";

const device: Device = { kind: "gpu", model: "RTX 3060", cores: 8, memoryMb: 32_000, runtime: "webgpu", threads: 2 };

it("is read back as it was registered", () => expect(parseDevice(encodeDevice(device))).toEqual(device));

it("is nothing where the metadata are anything else", () => {
  const others = ["", "<script>", "null", "[]", "1", '"RTX"', "{}", '{"device":"RTX 3060"}', '{"device": [1, {"gpu"'];
  for (const metadata of others) expect([metadata, parseDevice(metadata)]).toEqual([metadata, undefined]);
  for (const changed of [{ kind: "tpu" }, { model: 7 }, { cores: -1 }, { memoryMb: 1.5 }, { runtime: null }])
    expect(parseDevice(JSON.stringify({ ...device, ...changed }))).toBeUndefined();
});
