// A reverse proxy as operators put one in front of the gateway: it ends TLS, takes a path prefix off, passes bodies unbuffered and
// WebSocket upgrades through.
import { request } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { generate } from "selfsigned";

export interface TlsProxy {
  readonly port: number;
  /** the certificate, for clients that are to trust it */
  readonly certificate: string;
  close(): Promise<void>;
}

/** @param target port of the gateway, once it is known @param prefix path under which the gateway is mounted, without a slash at its end */
export async function startTlsProxy(target: () => number, prefix: string): Promise<TlsProxy> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }], {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  const open = new Set<Duplex>();
  const stripped = (url = "/") => url.slice(prefix.length) || "/";
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const inner = request({ host: "127.0.0.1", port: target(), method, headers, path: stripped(url) }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    inner.on("error", () => outgoing.destroy());
    incoming.pipe(inner);
  });
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  server.on("upgrade", ({ method, headers, url }, near, head) => {
    const far = connect(target(), "127.0.0.1", () => {
      const lines = Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one) => `${name}: ${one}`),
      );
      far.write(`${method} ${stripped(url)} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      far.write(head);
      far.pipe(near);
      near.pipe(far);
    });
    open.add(far);
    far.on("error", () => near.destroy()).on("close", () => open.delete(far));
    near.on("error", () => far.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    certificate: cert,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
