import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { GpuchainError } from "../../daemon/index.ts";
import type { Output } from "../output.ts";

export interface InitOptions {
  data?: string;
  text?: string;
  label?: string;
  title?: string;
  steps?: string;
  interval?: string;
  disputeWindow?: string;
}

/** Writes a job file with comments to start from. Never overwrites: FILE_EXISTS. */
export function init(output: Output, path: string, options: InitOptions): void {
  const data = options.data ?? "texts.csv";
  const columns = options.data === undefined ? undefined : columnsOf(options.data);
  const text = options.text ?? guess(columns, ["text", "message", "body", "content", "sentence", "review"]) ?? "text";
  const label = options.label ?? guess(columns, ["label", "class", "category", "target", "sentiment"]) ?? "label";
  // Paths in a job file are relative to it.
  const named = relative(dirname(resolve(path)), resolve(data));
  const content = jobFile({
    data: named,
    text,
    label,
    title: options.title ?? basename(data),
    steps: wholeNumber("--steps", options.steps ?? "400"),
    interval: wholeNumber("--interval", options.interval ?? "50"),
    disputeWindow:
      options.disputeWindow === undefined
        ? ""
        : `    "disputeWindow": ${wholeNumber("--dispute-window", options.disputeWindow)},\n`,
  });
  try {
    writeFileSync(path, content, { flag: "wx" });
  } catch (cause) {
    const exists = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
    throw new GpuchainError(
      exists ? "FILE_EXISTS" : "FILE_NOT_WRITTEN",
      exists ? `${path} exists already` : `cannot write ${path}`,
      {
        hint: "give another name",
        cause,
      },
    );
  }
  output.result({ file: path, data, text, label }, () => [
    `wrote ${path}: look it over, then`,
    `  gpuchain check ${path}      is it right?`,
    `  gpuchain estimate ${path}   what will it cost?`,
    `  gpuchain post ${path}       post it and lock the budget`,
  ]);
}

function columnsOf(file: string): string[] {
  let first: string;
  try {
    first = readFileSync(file, "utf8").split(/\r?\n/, 1)[0] ?? "";
  } catch (cause) {
    throw new GpuchainError("FILE_MISSING", `cannot read ${file}`, { hint: "check the path", cause });
  }
  if (!file.toLowerCase().endsWith(".jsonl")) return first.split(",").map((name) => name.trim().replace(/^"|"$/g, ""));
  try {
    return Object.keys(JSON.parse(first) as object);
  } catch {
    return [];
  }
}

function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new GpuchainError("USAGE", `${flag} takes a whole number, not "${text}"`, { hint: "see gpuchain init --help" });
}

/** The usual name among the columns, whatever its case. */
function guess(columns: readonly string[] | undefined, names: readonly string[]): string | undefined {
  return columns?.find((column) => names.includes(column.toLowerCase()));
}

function jobFile(job: {
  data: string;
  text: string;
  label: string;
  title: string;
  steps: number;
  interval: number;
  disputeWindow: string;
}): string {
  return `// A training job. Lines that begin with // are comments; every setting left out has the default shown.
{
  "job": {
    "title": ${JSON.stringify(job.title)},
    "template": "text-classification", // an encoder of about a million parameters, trained from scratch
    "data": {
      "file": ${JSON.stringify(job.data)}, // .csv with a header line, or .jsonl; relative to this file
      "text": ${JSON.stringify(job.text)}, // the column with the text
      "label": ${JSON.stringify(job.label)}, // the column with the class
      "heldOut": 0.2 // this share is not shown to providers: the verifiers judge by it
    },
    "training": {
      "steps": ${job.steps}, // one step is one batch of texts
      "batch": 32,
      "learningRate": 0.0007,
      "warmup": 40,
      "seed": 1
    },
    "class": "native", // or "canonical": the same bits on every machine, somewhat slower
    "checkpoint": { "interval": ${job.interval}, "traceInterval": 5 }, // a checkpoint is judged and paid every ${job.interval} steps
    "acceptance": {
      "target": 0.8 // balanced accuracy at the end; under it you get the model and pay no protocol fee
    }
  },
  "money": {
    "maxPricePerStep": "0.003", // USDC; the auction climbs from 0 to this, the cheapest provider comes first
    "verifierFee": "0.01" // USDC for each verifier's vote on each checkpoint
    // "budget": "5" // USDC to lock; default: exactly the worst case
  },
  "time": {
    "deadlineSeconds": 86400, // work may begin until this long after posting
${job.disputeWindow}    // "disputeWindow": how long you can contest a checkpoint after it is accepted; pay waits for that
    // "leaseDuration": 60, "auctionRamp": 60, "verdictTimeout": 300, "pulseTimeoutMs": 4000 (a local chain: shorter)
  }
}
`;
}
