import { copyFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { recordingIndex } from "./src/recordings/indexPlugin.ts";

export default defineConfig({
  plugins: [react(), recordingIndex(), pagesFallback()],
  // The explorer builds from the SDK's sources, so that it never ships a stale copy of them.
  resolve: { conditions: ["source", "module", "browser", "import", "default"] },
  build: {
    target: "es2023",
    sourcemap: true,
    // Inlined assets would need `data:` in the content-security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
});

/** Static hosts answer unknown addresses with 404.html; the page then finds its own way. */
function pagesFallback(): Plugin {
  return {
    name: "pages-fallback",
    apply: "build",
    writeBundle: ({ dir }) => copyFileSync(`${dir}/index.html`, `${dir}/404.html`),
  };
}
