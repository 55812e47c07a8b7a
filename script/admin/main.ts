// `npm run admin -- …`: what the protocol's owner and a job's arbiter can do. Every call is shown with its effect first; nothing is signed
// before a yes (or --yes), and --dry-run stops there.
import { createInterface } from "node:readline/promises";
import {
  assertDeployment,
  type ChallengeKind,
  courtAbi,
  createGpuchainClient,
  decodeEvent,
  type GpuchainClient,
  getLogsRange,
  loadDeployment,
  registryAbi,
  type Vote,
} from "@gpuchain/sdk/chain";
import { openKeystore, readKeystoreAddress, resolvePassword } from "@gpuchain/sdk/crypto";
import { createShutdown, exitWith, formatUsdc, GpuchainError, parseUsdc } from "@gpuchain/sdk/daemon";
import { Command } from "commander";
import { type Abi, type Address, isAddress } from "viem";
import { type AdminCall, previewCall, sendCall } from "./call.ts";

interface CommonOptions {
  rpc: string;
  deployment: string;
  keystore?: string;
  passwordFile?: string;
  from?: string;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

const shutdown = createShutdown();

function program(): Command {
  const admin = new Command("admin")
    .description(
      "Owner's and arbiter's calls of a GPUChain deployment. Each is shown with its effect before it is signed.",
    )
    .option("--rpc <url>", "chain to talk to", process.env.GPUCHAIN_RPC ?? "http://127.0.0.1:8545")
    .option("--deployment <file>", "deployment file", process.env.GPUCHAIN_DEPLOYMENT ?? "deployments/31337.json")
    .option("--keystore <file>", "key file of the owner or arbiter; its password: --password-file or GPUCHAIN_PASSWORD")
    .option("--password-file <file>", "file whose first line is the key file's password")
    .option("--from <address>", "with --dry-run: whose call to try, in place of a key file")
    .option("--dry-run", "show the call and its effect, sign nothing")
    .option("--yes", "do not ask before signing")
    .option("--json", "one JSON object instead of text")
    .addHelpText(
      "after",
      "\nExamples:\n  npm run admin -- templates\n  npm run admin -- approve-template mlp --min-fee 0.01 --dry-run --from 0x…\n" +
        "  npm run admin -- challenges\n  npm run admin -- cut 4294967298 --from-checkpoint 4294967297 --keystore arbiter.json",
    );
  const registry = (client: GpuchainClient, functionName: string, args: unknown[], meaning: string): AdminCall => ({
    address: client.deployment.contracts.registry,
    abi: registryAbi as Abi,
    functionName,
    args,
    meaning,
  });
  const court = (client: GpuchainClient, functionName: string, args: unknown[], meaning: string): AdminCall => ({
    address: client.deployment.contracts.court,
    abi: courtAbi as Abi,
    functionName,
    args,
    meaning,
  });

  admin
    .command("templates")
    .description("list workload templates")
    .action(() => reading(admin, async (client) => client.read.listTemplates({})));
  admin
    .command("approve-template <name>")
    .description("owner: allow jobs of this template")
    .requiredOption("--min-fee <usdc>", "least verifier fee of such jobs", parseUsdc)
    .action((name: string, { minFee }: { minFee: bigint }) =>
      calling(admin, (client) =>
        registry(
          client,
          "approveTemplate",
          [name, minFee],
          `jobs of "${name}" can be posted, verifier fee ≥ ${formatUsdc(minFee)} USDC`,
        ),
      ),
    );
  admin
    .command("revoke-template <id>")
    .description("owner: no new jobs of this template; posted jobs go on")
    .action((id: string) =>
      calling(admin, (client) =>
        registry(
          client,
          "revokeTemplate",
          [Number(wholeNumber(id))],
          `no new jobs of template ${id}; posted jobs go on`,
        ),
      ),
    );
  admin
    .command("name-config")
    .description("owner: arbiter and treasury of jobs posted from now on; posted jobs keep theirs")
    .requiredOption("--arbiter <address>", "who decides disputes and appeals", address)
    .requiredOption("--treasury <address>", "who receives the fee of jobs that succeed", address)
    .action(({ arbiter, treasury }: { arbiter: Address; treasury: Address }) =>
      calling(admin, (client) =>
        registry(
          client,
          "nameConfig",
          [arbiter, treasury],
          `jobs posted from now on: arbiter ${arbiter}, treasury ${treasury}`,
        ),
      ),
    );
  admin
    .command("challenges")
    .description("list open disputes and appeals with their evidence")
    .action(() => reading(admin, openChallenges));
  for (const [name, kind, meaning] of [
    [
      "uphold",
      "Dispute",
      "the disputed chain stands and can be paid at once; the client's bond is lost, half to the provider",
    ],
    [
      "grant",
      "Appeal",
      "the refusal is overturned; the bar is lifted, the Refuse voters forfeit 20 % of the minimum bond each",
    ],
    ["reject", "Appeal", "the refusal stands; the provider's challenge bond goes to the treasury"],
  ] as const) {
    admin
      .command(`${name} <checkpoint>`)
      .description(`arbiter: ${meaning}`)
      .action((id: string) =>
        calling(admin, async (client) => {
          await expectKind(client, wholeNumber(id), kind);
          return court(client, name, [wholeNumber(id)], meaning);
        }),
      );
  }
  admin
    .command("cut <checkpoint>")
    .description("arbiter: nothing is paid from a contested checkpoint on; the job closes without a fee")
    .requiredOption("--from-checkpoint <id>", "first checkpoint that is not paid", wholeNumber)
    .action((id: string, { fromCheckpoint }: { fromCheckpoint: bigint }) =>
      calling(admin, async (client) => {
        await expectKind(client, wholeNumber(id), "Dispute");
        const meaning = `unpaid from checkpoint ${fromCheckpoint} on; the job closes without a fee; its Accept voters forfeit that fee and 20 % of the minimum bond`;
        return court(client, "cut", [wholeNumber(id), fromCheckpoint], meaning);
      }),
    );
  admin
    .command("lapse <checkpoint>")
    .description("anyone, once the arbiter's time is over: the challenge lapses")
    .action((id: string) =>
      calling(admin, (client) =>
        court(client, "lapse", [wholeNumber(id)], "the challenge lapses: its bond goes back, the verdict stands"),
      ),
    );
  return admin;
}

async function connect(options: CommonOptions): Promise<GpuchainClient> {
  const client = createGpuchainClient({
    rpc: options.rpc,
    deployment: loadDeployment(options.deployment),
    signal: shutdown.signal,
  });
  shutdown.onClose("connection", () => client.close());
  await assertDeployment(client);
  return client;
}

async function reading(admin: Command, read: (client: GpuchainClient) => Promise<unknown>): Promise<void> {
  const options = admin.opts<CommonOptions>();
  const result = await read(await connect(options));
  console.log(
    JSON.stringify(result, (_, value) => (typeof value === "bigint" ? value.toString() : value), options.json ? 0 : 2),
  );
}

async function calling(
  admin: Command,
  make: (client: GpuchainClient) => AdminCall | Promise<AdminCall>,
): Promise<void> {
  const options = admin.opts<CommonOptions>();
  const client = await connect(options);
  const call = await make(client);
  const from = await callerOf(options);
  const effect = await previewCall(client, from, call);
  const shown = {
    call: call.functionName,
    args: call.args.map(String),
    to: call.address,
    from,
    meaning: call.meaning,
    effect,
  };
  if (!options.json) {
    console.log(
      `${call.functionName}(${shown.args.join(", ")})\n  to      ${call.address}\n  from    ${from}\n  means   ${call.meaning}`,
    );
    for (const line of effect) console.log(`  effect  ${line}`);
  }
  if (options.dryRun) {
    console.log(options.json ? JSON.stringify({ ...shown, sent: false }) : "dry run: nothing was signed");
    return;
  }
  if (!options.yes && !(await confirmed())) throw new GpuchainError("DECLINED", "not confirmed: nothing was signed");
  const password = await resolvePassword({
    file: options.passwordFile,
    value: process.env.GPUCHAIN_PASSWORD,
    prompt: "password of the key file: ",
    signal: shutdown.signal,
  });
  const account = await openKeystore(keystoreOf(options), password);
  const hash = await sendCall(client, account, call, shutdown.signal);
  console.log(options.json ? JSON.stringify({ ...shown, sent: true, hash }) : `mined in ${hash}`);
}

async function callerOf(options: CommonOptions): Promise<Address> {
  if (options.from !== undefined) {
    if (!options.dryRun)
      throw new GpuchainError("USAGE", "--from goes with --dry-run", { hint: "give --keystore to sign" });
    return address(options.from);
  }
  const found = await readKeystoreAddress(keystoreOf(options));
  if (!found) throw new GpuchainError("KEYSTORE_INVALID", "the key file does not say its address");
  return found;
}

function keystoreOf(options: CommonOptions): string {
  if (options.keystore) return options.keystore;
  throw new GpuchainError("USAGE", "no key file", { hint: "give --keystore FILE, or --dry-run --from ADDRESS" });
}

async function confirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new GpuchainError("USAGE", "there is no terminal to confirm on", { hint: "give --yes or --dry-run" });
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question("sign and send? [y/N] ", { signal: shutdown.signal });
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Challenges that no ruling has closed, oldest first, with what the arbiter needs to look into them. */
async function openChallenges(client: GpuchainClient): Promise<unknown[]> {
  const { contracts, startBlock } = client.deployment;
  const logs = await getLogsRange(client.public, { address: [contracts.court], fromBlock: startBlock });
  const opened = logs
    .map((log) => decodeEvent(contracts, log))
    .filter((event) => event?.eventName === "ChallengeOpened");
  const rows = await Promise.all(
    opened.map(async ({ args, transactionHash }) => {
      const checkpointId = args.checkpointId;
      const challenge = await client.read.getChallenge({ checkpointId });
      if (challenge.state !== "Open") return undefined;
      const checkpoint = await client.read.getCheckpoint({ checkpointId });
      return {
        checkpointId,
        kind: challenge.kind,
        jobId: args.jobId,
        step: checkpoint.step,
        provider: checkpoint.provider,
        contested: args.kind === 1 ? "this checkpoint and all accepted after it" : "the refusal of this checkpoint",
        opener: args.opener,
        bondUsdc: formatUsdc(args.bond),
        reasonHash: args.reasonHash,
        decideBefore: new Date(Number(args.arbiterUntil) * 1000).toISOString(),
        votes: await Promise.all(checkpoint.votes.map((vote) => withEvidence(client, checkpointId, vote))),
        transactionHash,
      };
    }),
  );
  return rows.filter((row) => row !== undefined);
}

/** A vote with the address at which its voter shows what the vote rests on. */
async function withEvidence(client: GpuchainClient, checkpointId: bigint, vote: Vote): Promise<object> {
  const { endpoint } = await client.read.getVerifier({ account: vote.verifier });
  const evidence = endpoint === "" ? "the verifier has left" : `${endpoint}/v1/evidence/${checkpointId}`;
  return { ...vote, evidence };
}

async function expectKind(client: GpuchainClient, checkpointId: bigint, kind: ChallengeKind): Promise<void> {
  const challenge = await client.read.getChallenge({ checkpointId });
  if (challenge.state === "Open" && challenge.kind === kind) return;
  throw new GpuchainError("NO_OPEN_CHALLENGE", `checkpoint ${checkpointId} has no open ${kind.toLowerCase()}`, {
    hint: "npm run admin -- challenges lists the open ones",
  });
}

function wholeNumber(text: string): bigint {
  if (!/^\d+$/.test(text)) throw new GpuchainError("USAGE", `not a whole number: ${text}`);
  return BigInt(text);
}

function address(text: string): Address {
  if (!isAddress(text)) throw new GpuchainError("USAGE", `not an address: ${text}`);
  return text;
}

try {
  await program().parseAsync();
} catch (error) {
  exitWith(error);
} finally {
  await shutdown.close();
}
