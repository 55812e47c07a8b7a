/** Entry point for pages: replays a paid interval in the tab of whoever doubts it. Imports no chain, no Node module. */
export { TrainingError, type TrainingErrorCode } from "./errors.ts";
export { auditInterval, type IntervalAudit, type IntervalFiles } from "./replay/auditInterval.ts";
export { type IntervalSizes, intervalSizes } from "./replay/intervalSizes.ts";
export type { UpdateDistance } from "./replay/updateDistance.ts";
export { createBrowserWasmRuntime } from "./runtimes/wasmBrowser.ts";
