// Posts one job as a process of its own that can be killed: says on standard output what it is doing, one word a line.
import { privateKeyToAccount } from "viem/accounts";
import { createGpuchainClient, createSender, parseDeployment } from "../../chain/index.ts";
import { recordingLog } from "../../chain/testing/recordingLog.ts";
import { createJournalIntentStore, openJournal } from "../../daemon/index.ts";
import { postJob } from "../postJob.ts";
import { tinyJob } from "./tinyJob.ts";

const input = JSON.parse(process.argv[2] ?? "") as {
  rpc: string;
  deployment: object;
  journal: string;
  privateKey: `0x${string}`;
};
const account = privateKeyToAccount(input.privateKey);
const client = createGpuchainClient({
  rpc: input.rpc,
  deployment: parseDeployment(JSON.stringify(input.deployment)),
  pollingInterval: 50,
});
const journal = openJournal(input.journal);
const controller = new AbortController();
const log = recordingLog();
const { signal } = controller;
const sender = createSender({ client, account, intents: createJournalIntentStore(journal), log, signal });
const { jobId } = await postJob(
  { client, account, sender, log, signal },
  {
    ...tinyJob("killed in the middle"),
    terms: { maxPricePerStep: 3_000n, verifierFee: 10_000n },
    name: "once",
    onProgress: ({ stage }) => console.log(stage),
  },
);
console.log(`job ${jobId}`);
controller.abort(new Error("done"));
client.close();
journal.close();
