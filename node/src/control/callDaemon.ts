import { connect } from "node:net";
import { GpuchainError } from "@gpuchain/sdk/daemon";
import type { ControlAnswer, ControlRequest } from "./controlServer.ts";
import { socketPath } from "./socketPath.ts";

/**
 * Sends one command to the daemon that runs in the given data folder.
 *
 * @throws GpuchainError `NOT_RUNNING` when there is none; else what the daemon answers
 */
export function callDaemon(data: string, request: ControlRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(socketPath(data));
    socket.setEncoding("utf8");
    socket.on("connect", () => socket.write(`${JSON.stringify(request)}\n`));
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("error", (cause) =>
      reject(
        new GpuchainError("NOT_RUNNING", `no node runs in ${data}`, {
          hint: "start it with: gpuchain-node start, or name its folder with --data",
          cause,
        }),
      ),
    );
    socket.on("end", () => {
      if (text.trim() === "")
        return reject(new GpuchainError("NOT_RUNNING", "the node ended before it answered", { retryable: true }));
      const reply = JSON.parse(text) as ControlAnswer;
      if (reply.ok) resolve(reply.result);
      else reject(new GpuchainError(reply.code, reply.message, reply.hint === undefined ? {} : { hint: reply.hint }));
    });
  });
}
