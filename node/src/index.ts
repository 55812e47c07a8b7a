export { configTable, type NodeConfig } from "./config.ts";
export { type NodeDeps, type NodeStatus, type RunningNode, runNode } from "./runNode.ts";
