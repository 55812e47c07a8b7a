import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileBlobStore } from "@gpuchain/sdk/blobs";
import { encodeJobSpec, type Hex, sha256Hex } from "@gpuchain/sdk/records";
import { afterEach, expect, it } from "vitest";
import { jobView } from "../testing/jobView.ts";
import { testJob } from "../testing/testJob.ts";
import { prepareJob } from "./prepareJob.ts";

const folder = mkdtempSync(join(tmpdir(), "prepare-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("leaves a job that this machine has no memory for, whatever its spec says that it needs", async () => {
  const { spec, train } = testJob({ steps: 20, interval: 10 });
  const asked: Hex[] = [];
  const prepare = (changed: typeof spec, memoryBytes: number) => {
    const bytes = encodeJobSpec(changed);
    const known = new Map([bytes, train].map((blob) => [sha256Hex(blob), blob]));
    return prepareJob(jobView({ terms: { specHash: sha256Hex(bytes), totalSteps: 20, checkpointInterval: 10 } }), {
      ...{ blobs: new FileBlobStore(join(folder, "blobs")), data: folder, self: "0x1", memoryBytes },
      fetchBlob: async (hash) => {
        asked.push(hash);
        return known.get(hash) as Uint8Array;
      },
    });
  };
  const huge: typeof spec = {
    ...spec,
    model: { architecture: "mlp", inputs: 8, hidden: Array.from({ length: 8 }, () => 8_192), classes: 2 },
    resources: { memoryBytes: 0, flopsPerStep: 0 },
  };
  const memory = 2 ** 30;
  await expect(prepare(huge, memory)).rejects.toMatchObject({
    code: "JOB_UNFIT",
    message: expect.stringMatching(/it needs about \d+ MiB of memory; training may take 1024 here/),
  });
  // Not even its data is asked for.
  expect(asked).toHaveLength(1);
  const modest = { ...spec, resources: { memoryBytes: Number.MAX_SAFE_INTEGER, flopsPerStep: 0 } };
  expect(await prepare(modest, memory)).toMatchObject({ id: 1n });
  await expect(prepare(modest, 100 * 2 ** 20)).rejects.toMatchObject({ code: "JOB_UNFIT" });
});
