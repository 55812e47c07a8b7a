// The run as one file that the explorer replays with no chain, ledger or gateway at hand.
import {
  parseRecording,
  RECORDING_VERSION,
  type Recording,
  type RecordingInput,
  type RunReport,
} from "@gpuchain/sdk/records";
import { localAccounts } from "./anvil.ts";
import type { Workload } from "./clientParty.ts";
import type { LocalNetwork } from "./network.ts";
import type { Recorder } from "./recorder.ts";
import { toJson } from "./sources.ts";
import type { Story } from "./story.ts";

export interface MakeRecordingOptions {
  network: LocalNetwork;
  recorder: Recorder;
  story: Story;
  workload: Workload;
  report: RunReport;
  nameOf: (address: string) => string;
}

/** @throws Error naming the first field that does not fit the recording's schema */
export async function makeRecording({
  network,
  recorder,
  story,
  workload,
  report,
  nameOf,
}: MakeRecordingOptions): Promise<Recording> {
  const { deployment, chain } = network;
  const job = await story.client.read.getJob({ jobId: story.jobId });
  const { spec } = workload;
  const prices = new Map<string, bigint>(
    [...story.run.leases.values()].map(({ provider, price }) => [provider.toLowerCase(), price]),
  );
  const parties: RecordingInput["parties"] = [
    { role: "client", name: "client", address: localAccounts.client.address },
    { role: "treasury", name: "treasury", address: localAccounts.treasury.address },
    { role: "arbiter", name: "arbiter", address: localAccounts.arbiter.address },
    ...network.daemons.map(({ role, account }) => {
      const price = prices.get(account.address.toLowerCase());
      return {
        role,
        name: nameOf(account.address),
        address: account.address,
        ...(price !== undefined && { price: `${price}` }),
      };
    }),
  ];
  const input: RecordingInput = {
    version: RECORDING_VERSION,
    protocolVersion: deployment.protocolVersion,
    startedAt: new Date(recorder.startedAt).toISOString(),
    network: {
      chainId: deployment.chainId,
      name: "Local chain",
      blockTimeMs: chain.blockTimeMs,
      contracts: { ...deployment.contracts },
    },
    job: {
      id: `${story.jobId}`,
      title: spec.title,
      template: spec.template,
      class: spec.class,
      client: localAccounts.client.address,
      specHash: job.terms.specHash,
      spec,
      steps: spec.training.steps,
      checkpointInterval: spec.checkpoint.interval,
      traceInterval: spec.checkpoint.traceInterval,
      budget: `${job.terms.budget}`,
      terms: toJson(job.terms) as Recording["job"]["terms"],
    },
    parties,
    badges: [{ kind: "sameMachine", text: "all parties ran as processes of one machine" }],
    timeline: recorder.entries,
    report,
  };
  return parseRecording(input);
}
