// Writes fixtures/torch.json anew, with a Python that has PyTorch: run it only when templates change.
//   PYTHON=/usr/bin/python3 node --conditions=source --import=tsx sdk/src/training/testing/recordTorch.ts
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TORCH_JOBS, torchInput } from "./torchJobs.ts";

const jobs = Object.fromEntries(Object.entries(TORCH_JOBS).map(([name, job]) => [name, torchInput(job())]));
const script = fileURLToPath(new URL("./torchReference.py", import.meta.url));
const { stdout, status } = spawnSync(process.env.PYTHON ?? "python3", [script], {
  input: JSON.stringify(jobs),
  maxBuffer: 2 ** 28,
  stdio: ["pipe", "pipe", "inherit"],
});
if (status !== 0) process.exit(1);
const answer = JSON.parse(stdout.toString()) as {
  torch: string;
  jobs: Record<string, { lossSum: number; gradient: number[]; after: number[] }>;
};
const packed = (values: number[]) => Buffer.from(Float32Array.from(values).buffer).toString("base64");
const recorded = Object.entries(answer.jobs).map(([name, { lossSum, gradient, after }]) => [
  name,
  { lossSum, gradient: packed(gradient), after: packed(after) },
]);
const content = { torch: answer.torch, jobs: Object.fromEntries(recorded) };
writeFileSync(new URL("./fixtures/torch.json", import.meta.url), `${JSON.stringify(content, null, 2)}\n`);
