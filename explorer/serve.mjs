// Serves the built explorer with its run-time configuration and a content-security policy that names the configured addresses only.
// Plain JavaScript without dependencies: the demo and the devnet start it, and so may anybody else.
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";

const DIST = path.join(path.dirname(fileURLToPath(import.meta.url)), "dist");

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

/**
 * @typedef {object} ServeOptions
 * @property {number} [port] 0 (the default) takes a free one
 * @property {string} [host] 127.0.0.1 by default
 * @property {object} [config] what config.json answers; without it the file of the build does
 * @property {string} [root] the built site; explorer/dist by default
 * @property {string[]} [recordings] more folders whose *.json are served under /recordings/ (they are not in the index)
 */

/**
 * Starts the static server.
 *
 * @param {ServeOptions} [options]
 * @returns {Promise<{ url: string, port: number, setConfig(config: object): void, close(): Promise<void> }>}
 * @throws {Error} when the site is not built, or the port is taken (code EADDRINUSE)
 */
export async function serveExplorer(options = {}) {
  const root = options.root ?? DIST;
  if (!existsSync(path.join(root, "index.html"))) {
    throw new Error(`the explorer is not built: no index.html in ${root}; run: npm run build -w @gpuchain/explorer`);
  }
  let config = options.config;
  const extra = options.recordings ?? [];
  const server = createServer((request, response) => {
    try {
      answer({ root, extra, config }, request, response);
    } catch (error) {
      response
        .writeHead(500, { "content-type": "text/plain" })
        .end(`${error instanceof Error ? error.message : error}\n`);
    }
  });
  const host = options.host ?? "127.0.0.1";
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, () => resolve(undefined));
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://${host}:${port}/`,
    port,
    setConfig(next) {
      config = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The policy as a header: like index.html's own, with `connect-src` narrowed to what the configuration names. */
export function contentSecurityPolicy(config = {}) {
  const given = [config.rpc, config.ledger, config.gateways]
    .flat()
    .filter((url) => typeof url === "string" && URL.canParse(url));
  const origins = given.flatMap((url) => {
    const { host, protocol } = new URL(url);
    const secure = protocol === "https:" || protocol === "wss:";
    return secure ? [`https://${host}`, `wss://${host}`] : [`http://${host}`, `ws://${host}`];
  });
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    ["connect-src 'self'", ...new Set(origins)].join(" "),
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function answer({ root, extra, config }, request, response) {
  const headers = {
    "content-security-policy": contentSecurityPolicy(config),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), usb=()",
  };
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { ...headers, allow: "GET, HEAD" }).end();
    return;
  }
  const pathname = decodePath(request.url ?? "/");
  if (pathname === undefined) {
    response.writeHead(400, { ...headers, "content-type": "text/plain" }).end("This is no well-formed address.\n");
    return;
  }
  if (pathname === "/config.json" && config) {
    const body = JSON.stringify(config);
    response.writeHead(200, { ...headers, "content-type": TYPES[".json"], "cache-control": "no-store" });
    response.end(request.method === "HEAD" ? undefined : body);
    return;
  }
  const file = findFile(root, extra, pathname);
  // Addresses of pages have no file: the page itself sorts them out. A missing asset is a plain 404.
  const page = path.extname(pathname) === "" || path.extname(pathname) === ".html";
  if (!file && !page) {
    response.writeHead(404, { ...headers, "content-type": "text/plain" }).end("not found\n");
    return;
  }
  send(file ?? path.join(root, "index.html"), headers, request, response);
}

function send(file, headers, request, response) {
  const { size } = statSync(file);
  const forever = /\/assets\//.test(file) ? "public, max-age=31536000, immutable" : "no-cache";
  response.writeHead(200, {
    ...headers,
    "content-type": TYPES[path.extname(file)] ?? "application/octet-stream",
    "content-length": size,
    "cache-control": forever,
  });
  if (request.method === "HEAD") response.end();
  else
    createReadStream(file)
      .on("error", () => response.destroy())
      .pipe(response);
}

function decodePath(url) {
  try {
    const pathname = decodeURIComponent(new URL(url, "http://x").pathname);
    return pathname.includes("\0") ? undefined : pathname;
  } catch {
    return undefined; // Not a well-formed address: the caller answers 400.
  }
}

function findFile(root, extra, pathname) {
  const inside = path.join(root, pathname);
  if (inside.startsWith(root + path.sep) && isFile(inside)) return inside;
  const name = /^\/recordings\/([\w.-]+\.json)$/.exec(pathname)?.[1];
  const folder = name && extra.find((candidate) => existsSync(candidate) && readdirSync(candidate).includes(name));
  return folder && name ? path.join(folder, name) : undefined;
}

const isFile = (file) => existsSync(file) && statSync(file).isFile();
