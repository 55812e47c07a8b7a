import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, extname, join, normalize } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

/** The folder of onnxruntime-web that holds its kernels. */
export const ORT_FILES = dirname(createRequire(import.meta.url).resolve("onnxruntime-web"));

/**
 * Serves a built page, some files held in memory, and ONNX Runtime's own under `/ort/`, on a free port.
 *
 * @param isolated whether the page is cross-origin isolated, which threads need
 */
export async function servePage(directory: string, files: Readonly<Record<string, Uint8Array>>, isolated: boolean) {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const name = path === "/" ? "index.html" : normalize(path).replace(/^\/+/, "");
    const held = files[name.replace(/^files\//, "")];
    try {
      const body =
        held ?? readFileSync(name.startsWith("ort/") ? join(ORT_FILES, name.slice(4)) : join(directory, name));
      response.writeHead(200, {
        "content-type": TYPES[extname(name)] ?? "application/octet-stream",
        ...(isolated
          ? { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" }
          : {}),
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
