// Stands in front of a gateway and fails as networks do.
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface CutProxy {
  readonly port: number;
  /** Cuts every connection and refuses new ones until `heal`. */
  cut(): void;
  /** Holds every piece of data back by this long, in order, until `heal`. */
  slow(ms: number): void;
  heal(): void;
  close(): void;
}

/** A TCP proxy to a local port. */
export async function startCutProxy(target: number): Promise<CutProxy> {
  const open = new Set<Socket>();
  let refusing = false;
  let delayMs = 0;
  const server = createServer((near) => {
    if (refusing) return void near.destroy();
    const far = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.setNoDelay(true);
      let before: Promise<void> = Promise.resolve();
      const inTurn = (act: () => void) => {
        const wait = delayMs;
        before = before
          .then(() => (wait > 0 ? new Promise((resolve) => setTimeout(resolve, wait)) : undefined))
          .then(act);
      };
      from.on("data", (bytes) =>
        inTurn(() => {
          if (to.writable) to.write(bytes);
        }),
      );
      from.on("end", () => inTurn(() => void to.end()));
      // The other side learns of it by its own end: an error here is a connection that is gone.
      from.on("error", () => to.destroy());
      from.on("close", () => {
        open.delete(from);
        inTurn(() => void to.destroy());
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      refusing = true;
      for (const socket of open) socket.destroy();
    },
    slow(ms) {
      delayMs = ms;
    },
    heal() {
      refusing = false;
      delayMs = 0;
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
