import { defineConfig } from "vitest/config";

// Ponder runs every file under src/, so tests stand beside the pure code in ledger/ and, with real processes, in test/.
const resolve = { conditions: ["source", "module", "node", "import", "default"] };

export default defineConfig({
  resolve,
  ssr: { resolve },
  test: {
    include: ["{ledger,src/api,test}/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
