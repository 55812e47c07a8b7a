import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { GpuchainError } from "@gpuchain/sdk/daemon";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { NodeStatus } from "./nodeStatus.ts";

/** What a scrape reads besides the status. */
export interface MetricsSource {
  readonly status: () => NodeStatus;
  readonly block: () => number;
  readonly headAgeMs: () => number;
  readonly openTransactions: () => number;
  readonly celsius: () => number | undefined;
  readonly watts: () => number | undefined;
}

const STATES = ["idle", "warming", "training", "committing", "draining"] as const;
const COIN = 1e18;
const USDC = 1e6;

/** Every metric of the node, in one place; names carry their unit. What is not known now has no value. */
export function createNodeMetrics(source: MetricsSource): Registry {
  const registry = new Registry();
  const prefix = "gpuchain_node_";
  collectDefaultMetrics({ register: registry, prefix });
  const gauge = (name: string, help: string, read: () => number | undefined): void => {
    new Gauge({
      name: prefix + name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        const value = read();
        if (value !== undefined) this.set(value);
        else this.remove();
      },
    });
  };
  new Gauge({
    name: `${prefix}state`,
    help: "1 for the state that the node is in.",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { state } = source.status();
      for (const one of STATES) this.set({ state: one }, one === state ? 1 : 0);
    },
  });
  const { status } = source;
  gauge("paused", "1 while the owner has paused the node.", () => (status().paused ? 1 : 0));
  gauge("held_off", "1 while the owner's limits allow no work.", () => (status().heldOff === undefined ? 0 : 1));
  gauge("step", "Newest step of the run at hand.", () => status().progress?.step);
  gauge("loss", "Training loss at that step.", () => status().progress?.loss);
  gauge("steps_per_second", "Training speed.", () => status().progress?.stepsPerSecond);
  gauge("lease_left_seconds", "Time until the lease ends if nothing is done.", () => status().leaseLeftSeconds);
  gauge("pulse_connections", "Seats that hear this node's pulse.", () => status().pulses?.connected);
  gauge("earned_usdc", "Pay of all accepted checkpoints.", () => Number(status().earnings.accepted) / USDC);
  gauge("pending_usdc", "Pay of checkpoints not decided yet.", () => Number(status().earnings.pending) / USDC);
  gauge("accepted_steps", "Steps in accepted checkpoints.", () => status().earnings.acceptedSteps);
  gauge("gas_paid_coins", "Native coin that transactions cost.", () => Number(status().earnings.gas) / COIN);
  gauge("transactions_open", "Transactions that are not settled yet.", source.openTransactions);
  gauge("chain_block", "Newest block that was read.", source.block);
  gauge("chain_head_age_seconds", "Time since the newest head arrived.", () => source.headAgeMs() / 1000);
  gauge("card_celsius", "Temperature of the card, where it tells.", source.celsius);
  gauge("card_watts", "Power of the card, where it tells.", source.watts);
  return registry;
}

/** Serves `/metrics` and `/healthz` on an address of the owner's choice. @throws GpuchainError `PORT_TAKEN`, `LISTEN_FAILED` */
export async function serveMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  registry: Registry,
  isHealthy: () => boolean,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.url === "/healthz")
      response.writeHead(isHealthy() ? 200 : 503).end(isHealthy() ? "ok\n" : "no new block\n");
    else if (request.url === "/metrics")
      response.writeHead(200, { "content-type": registry.contentType }).end(await registry.metrics());
    else response.writeHead(404).end("try /metrics or /healthz\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === "EADDRINUSE";
      reject(
        new GpuchainError(
          taken ? "PORT_TAKEN" : "LISTEN_FAILED",
          `cannot serve metrics on ${host}:${port}: ${cause.message}`,
          {
            hint: "pass another --metrics, or none",
            cause,
          },
        ),
      );
    });
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
