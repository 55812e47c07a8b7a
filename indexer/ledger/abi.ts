// The contracts' events, from the ABIs that the SDK generates.
export { courtAbi, escrowAbi, jobsAbi, registryAbi } from "@gpuchain/sdk/abis";
