import { defineConfig } from "vitest/config";

// Tests run on the sources: the `source` export condition points @gpuchain/sdk/* at src instead of dist. Otherwise packages resolve as in Node
// itself: not by bundlers' `module` condition, which leads to builds that Node cannot load.
const resolve = { conditions: ["source", "node", "import", "default"] };
const common = { pool: "forks", testTimeout: 60_000, hookTimeout: 60_000 } as const;

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        resolve,
        ssr: { resolve },
        test: {
          ...common,
          name: "unit",
          include: ["{sdk,node,verifier}/src/**/*.test.ts", "script/**/*.test.ts"],
        },
      },
      {
        resolve,
        ssr: { resolve },
        test: {
          ...common,
          name: "explorer",
          // Functions of their arguments alone: they need neither a process nor modules of their own.
          pool: "threads",
          isolate: false,
          include: ["explorer/**/*.test.{ts,tsx}"],
          exclude: ["**/node_modules/**", "**/dist/**", "explorer/src/e2e/**"],
        },
      },
      {
        resolve,
        ssr: { resolve },
        test: {
          ...common,
          name: "explorer-browser",
          include: ["explorer/src/e2e/*.test.ts"],
          globalSetup: ["explorer/src/e2e/setup.ts"],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      // Suites that start whole networks: one file at a time, or they measure each other.
      networks("indexer", ["indexer/**/*.test.ts"]),
      networks("protocol", ["test/contracts/**/*.test.ts"]),
      networks("e2e", ["test/{run,interrupt}.test.ts"]),
      // Whole networks, too, but nothing in them hangs on their pace: two side by side, after the others.
      networks("e2e-side", ["test/{canonical,badInput,devnet}.test.ts"], {
        fileParallelism: true,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});

function networks(name: string, include: string[], more: object = {}) {
  return {
    resolve,
    ssr: { resolve },
    test: {
      ...common,
      name,
      include,
      exclude: ["**/node_modules/**", "**/dist/**", "test/fixtures/**"],
      fileParallelism: false,
      testTimeout: 240_000,
      hookTimeout: 240_000,
      ...more,
    },
  };
}
