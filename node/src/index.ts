export { configTable, type NodeConfig } from "./config.ts";
export type { NodeStatus } from "./nodeStatus.ts";
export { type NodeDeps, type RunningNode, runNode } from "./runNode.ts";
