import { defineConfig } from "vitest/config";

// Tests run on the sources: the `source` export condition points @gpuchain/sdk/* at src instead of dist.
const resolve = { conditions: ["source", "module", "node", "import", "default"] };

export default defineConfig({
  resolve,
  ssr: { resolve },
  test: {
    include: ["{sdk,node,verifier,indexer,explorer}/src/**/*.test.ts", "test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
