// The page of browser.test.ts: shows what an interval's files take, fetches them, replays them, and leaves the outcome on the window.
import { auditInterval, createBrowserWasmRuntime, type IntervalAudit, intervalSizes } from "../../browser.ts";

declare global {
  interface Window {
    outcome?: { audit?: IntervalAudit; isolated: boolean; threads: number; error?: string };
    /** set by whoever has read the sizes */
    agreed?: () => void;
  }
}

const fetched = async (name: string) => new Uint8Array(await (await fetch(`/files/${name}`)).arrayBuffer());

async function run(): Promise<NonNullable<Window["outcome"]>> {
  const spec = await fetched("spec");
  const shown = document.createElement("pre");
  shown.textContent = JSON.stringify(intervalSizes(spec, 0, 5));
  const agreed = new Promise<void>((resolve) => {
    window.agreed = resolve;
  });
  document.body.append(shown);
  await agreed;
  const runtime = createBrowserWasmRuntime({ assets: "/ort/", threads: 2 });
  const [train, from, to] = await Promise.all([fetched("train"), fetched("from"), fetched("to")]);
  const audit = await auditInterval({ spec, train, from, to }, runtime);
  return { audit, isolated: crossOriginIsolated, threads: runtime.threads };
}

run().then(
  (outcome) => {
    window.outcome = outcome;
  },
  (error: unknown) => {
    window.outcome = { isolated: crossOriginIsolated, threads: 0, error: String(error) };
  },
);
