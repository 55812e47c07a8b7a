import type { Template } from "../../records/index.ts";
import { DEFAULTS } from "./common.ts";

/** What `gpuchain init` knows of a job. */
export interface JobDraft {
  template: Template;
  title: string;
  /** path of the data, relative to the job file */
  data: string;
  text: string;
  label: string;
  /** table: its columns of numbers */
  features: readonly string[];
  /** LoRA: the base model's folder, relative to the job file */
  base: string;
  steps: number;
  interval: number;
  disputeWindow: number | undefined;
}

const quote = (text: string) => JSON.stringify(text);

const LABELLED = (job: JobDraft) => `    "data": {
      "file": ${quote(job.data)}, // .csv or .tsv with a header line, or .jsonl; relative to this file
      "text": ${quote(job.text)}, // the column with the text
      "label": ${quote(job.label)}, // the column with the class
      "heldOut": 0.2 // this share is not shown to providers: the verifiers judge by it
    },`;

const TRANSFORMER = `"layers": 2,
      "width": 128,
      "heads": 2,
      "feedForward": 512,`;

interface Wording {
  about: string;
  /** data and model */
  parts: (job: JobDraft) => string;
  batch: string;
  rate: string;
  target: string;
}

const ACCURACY = "balanced accuracy at the end; under it you get the model and pay no protocol fee";

const WORDING: Readonly<Record<Template, Wording>> = {
  "text-classification": {
    about: "an encoder of about a million parameters, trained from scratch",
    parts: (job) => `${LABELLED(job)}
    "model": {
      ${TRANSFORMER}
      "vocabulary": 4096, // words are hashed into this many
      "sequence": 64 // words of a text that are read
    },`,
    batch: "texts",
    rate: "0.0007",
    target: ACCURACY,
  },
  "text-classification-lora": {
    about: "adapters and a head, trained on a frozen BERT or DistilBERT",
    parts: (job) => `${LABELLED(job)}
    "model": {
      "base": ${quote(job.base)}, // a Hugging Face folder: config.json, model.safetensors, tokenizer.json
      "sequence": 64, // tokens of a text that are read
      "rank": 8,
      "alpha": 16,
      "targets": ["q", "v"] // the projections that are adapted, of q, k, v and o
    },`,
    batch: "texts",
    rate: "0.0005",
    target: ACCURACY,
  },
  "language-model": {
    about: "a small decoder that continues texts, trained from scratch",
    parts: (job) => `    "data": {
      "file": ${quote(job.data)}, // plain text, .txt or .md; relative to this file
      "heldOut": 0.1 // this share, from the end, is not shown to providers: the verifiers judge by it
    },
    "model": {
      ${TRANSFORMER}
      "vocabulary": 1024, // tokens; the tokenizer is made from your text, and goes along
      "sequence": 64 // tokens that it looks back
    },`,
    batch: "windows of the text",
    rate: "0.002",
    target: "nats a token at the end, less is better; above it you get the model and pay no protocol fee",
  },
  mlp: {
    about: "a multi-layer perceptron that classifies rows of numbers",
    parts: (job) => `    "data": {
      "file": ${quote(job.data)}, // .csv with a header line, or .jsonl; relative to this file
      "features": [${job.features.map(quote).join(", ")}], // columns of numbers; each is brought to mean 0 and deviation 1
      "label": ${quote(job.label)}, // the column with the class
      "heldOut": 0.2 // this share is not shown to providers: the verifiers judge by it
    },
    "model": { "hidden": [64, 32] }, // widths of the hidden layers`,
    batch: "rows",
    rate: "0.003",
    target: ACCURACY,
  },
};

/** A job file with comments. */
export function jobText(job: JobDraft): string {
  const { about, parts, batch, rate, target } = WORDING[job.template];
  const disputeWindow = job.disputeWindow === undefined ? "" : `    "disputeWindow": ${job.disputeWindow},\n`;
  return `// A training job. Lines that begin with // are comments; every setting left out has the default shown.
{
  "job": {
    "title": ${quote(job.title)},
    "template": ${quote(job.template)}, // ${about}
${parts(job)}
    "training": {
      "steps": ${job.steps}, // one step is one batch of ${batch}
      "batch": 32,
      "learningRate": ${rate},
      "warmup": 40,
      "seed": 1
    },
    "class": "native", // or "canonical": the same bits on every machine, somewhat slower
    "checkpoint": { "interval": ${job.interval} }, // one is judged and paid every ${job.interval} steps
    "acceptance": {
      "target": ${DEFAULTS[job.template].target} // ${target}
    }
  },
  "money": {
    "maxPricePerStep": "0.003", // USDC; the auction climbs from 0 to this, the cheapest provider comes first
    "verifierFee": "0.01" // USDC for each verifier's vote on each checkpoint
    // "budget": "5" // USDC to lock; default: exactly the worst case
  },
  "time": {
    "deadlineSeconds": 86400, // work may begin until this long after posting
${disputeWindow}    // "disputeWindow": how long you can contest a checkpoint after it is accepted; pay waits for that
    // "leaseDuration": 60, "auctionRamp": 60, "verdictTimeout": 300, "pulseTimeoutMs": 4000 (a local chain: shorter)
  }
}
`;
}
