import { startCompute } from "../startCompute.ts";

// A host that does nothing but have a child, to be killed by a test.
const compute = await startCompute({ runtime: "native", threads: 1 });
process.send?.(compute.pid);
