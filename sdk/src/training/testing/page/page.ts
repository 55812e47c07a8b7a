// The page of browser.test.ts: fetches an interval's files, replays them, and leaves the outcome on the window.
import { auditInterval, createBrowserWasmRuntime, type IntervalAudit } from "../../browser.ts";

declare global {
  interface Window {
    outcome?: { audit?: IntervalAudit; isolated: boolean; threads: number; error?: string };
  }
}

const fetched = async (name: string) => new Uint8Array(await (await fetch(`/files/${name}`)).arrayBuffer());

async function run(): Promise<NonNullable<Window["outcome"]>> {
  const runtime = createBrowserWasmRuntime({ assets: "/ort/", threads: 2 });
  const [spec, train, from, to] = await Promise.all([
    fetched("spec"),
    fetched("train"),
    fetched("from"),
    fetched("to"),
  ]);
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
