// A process that mints one base unit under each of a row of intents, over and over from the first, as a daemon that
// cannot know how far it came. Killed and started again by a test. Arguments: JSON of { rpc, deployment, journal, privateKey, count }.
import { privateKeyToAccount } from "viem/accounts";
import { createJournalIntentStore } from "../../daemon/intentStore.ts";
import { openJournal } from "../../daemon/journal.ts";
import { createLogger } from "../../daemon/logger.ts";
import { createGpuchainClient } from "../client.ts";
import { testUsdcAbi } from "../generated/index.ts";
import { createSender } from "../sender/sender.ts";

const { rpc, deployment, journal, privateKey, count } = JSON.parse(process.argv[2] ?? "{}");
const account = privateKeyToAccount(privateKey);
const client = createGpuchainClient({ rpc, deployment: { ...deployment, startBlock: 0n } });
const log = createLogger({ name: "mint-loop", level: "error" });
const sender = createSender({ client, account, intents: createJournalIntentStore(openJournal(journal)), log });
await sender.resume();
for (let index = 0; index < count; index++) {
  const call = { address: deployment.contracts.usdc, abi: testUsdcAbi, functionName: "mint" };
  await sender.send({ ...call, intent: `mint:${index}`, args: [account.address, 1n] });
  process.stdout.write(`${index}\n`);
}
process.exit(0);
