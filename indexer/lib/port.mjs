import { createServer } from "node:net";
import { StartError } from "./settings.mjs";

/**
 * Ponder goes to the next port in silence when one is taken; whoever set a port wants that one or an error.
 * @param {number} port 0 for any free one
 * @param {string} host
 * @returns {Promise<number>}
 */
export function freePort(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => {
      reject(
        new StartError(
          `Port ${port} on ${host} cannot be used (${error.code}).`,
          "Set PORT to another one, or to 0 for any.",
          1,
        ),
      );
    });
    server.listen(port, host, () => {
      const { port: bound } = server.address();
      server.close(() => resolve(bound));
    });
  });
}
