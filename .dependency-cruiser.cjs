// The arrows of docs/architecture.md, enforced. script/arrows.mjs also runs these rules over a known-bad fixture, so that they
// cannot pass by reading nothing.
"use strict";

const daemons = "^(indexer|node|verifier|explorer)/";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "sdk-depends-on-libraries-only",
      severity: "error",
      from: { path: "^sdk/" },
      to: { path: "^(indexer|node|verifier|explorer|script|test|contracts)/" },
    },
    {
      name: "rooms-never-import-each-other",
      severity: "error",
      from: { path: "^(indexer|node|verifier|explorer)/" },
      to: { path: daemons, pathNot: "^$1/" },
    },
    {
      name: "product-never-imports-scripts-or-tests",
      severity: "error",
      from: { path: "^(sdk|indexer|node|verifier|explorer)/(?!.*\\.test\\.tsx?$)" },
      to: { path: "^(script|test)/" },
    },
    {
      name: "training-and-records-know-no-chain",
      severity: "error",
      from: { path: "^sdk/src/(training|records)/" },
      to: { path: "(^sdk/src/(chain|blobs|client|gateway|daemon|compute)/|node_modules/viem/)" },
    },
    {
      name: "training-and-records-do-no-io",
      severity: "error",
      from: {
        path: "^sdk/src/(training|records)/",
        pathNot: ["\\.test\\.ts$", "^sdk/src/training/(runtimes|testing)/"],
      },
      to: {
        dependencyTypes: ["core"],
        path: "^(node:)?(fs|net|http|https|child_process|dgram|tls|worker_threads)(/|$)",
      },
    },
    {
      name: "only-chain-sends-transactions",
      comment: "In a daemon the transaction sender is reached through its chain/ room alone.",
      severity: "error",
      from: { path: "^(node|verifier)/src/(?!chain/)", pathNot: "\\.test\\.ts$" },
      to: { path: "^sdk/src/chain/(sender|write)" },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: { path: "^(sdk|node|verifier|script)/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|out|generated)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js"],
    },
  },
};
