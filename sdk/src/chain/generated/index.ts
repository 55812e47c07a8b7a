export { jobsAbi } from "./jobs.ts";
export { courtAbi } from "./court.ts";
export { registryAbi } from "./registry.ts";
export { escrowAbi } from "./escrow.ts";
export { lensAbi } from "./lens.ts";
export { testUsdcAbi } from "./testUsdc.ts";
