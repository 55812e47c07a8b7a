// The main job, small: a provider is killed, another hands in junk, a third finishes; the money is exact.
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEMO_TERMS } from "../script/lib/clientParty.ts";
import { makeRecording } from "../script/lib/makeRecording.ts";
import { type LocalNetwork, localAccounts, startNetwork } from "../script/lib/network.ts";
import { Recorder } from "../script/lib/recorder.ts";
import { baseUnits, makeReport } from "../script/lib/report.ts";
import { root } from "../script/lib/root.ts";
import { CREDIT_KINDS, runOf } from "../script/lib/runState.ts";
import { playStory, type Story } from "../script/lib/story.ts";
import { spamWorkload } from "../script/workloads/spam.ts";

const STEPS = 100;
const INTERVAL = 20;
const TERMS = { ...DEMO_TERMS, auctionRamp: 3 };
const FEE = TERMS.verifierFee;

/** Checkpoints, each with its gates by time. */
const inOrder = ({ checkpoints }: Story["run"]) =>
  [...checkpoints.values()].map((checkpoint) => ({
    ...checkpoint,
    gates: checkpoint.gates.toSorted((a, b) => a.t - b.t || JSON.stringify(a).localeCompare(JSON.stringify(b))),
  }));

describe("a run that loses its provider and is handed junk", () => {
  const recorder = new Recorder();
  const workload = spamWorkload({ steps: STEPS, checkpoint: { interval: INTERVAL, traceInterval: 5 } });
  const ended = new AbortController();
  let network: LocalNetwork;
  let story: Story;

  beforeAll(async () => {
    network = await startNetwork({ blockTime: 1, verifiers: 3 });
    const junk = { junk: true, entry: path.join(root, "test/dist/faults/junkNode.js") };
    story = await playStory({
      ...{ network, recorder, workload, terms: TERMS, signal: ended.signal },
      providers: [
        { name: "A", price: "0.001", killAtStep: 27 },
        { name: "P", price: "0.002", after: "A", ...junk },
        { name: "B", price: "0.003", after: "A" },
      ],
    });
  });

  afterAll(async () => {
    story?.close();
    ended.abort();
    await network?.close();
  });

  const address = (name: string) => story.providers.find((one) => one.name === name)?.account.address ?? "";
  const accepted = () => [...story.run.checkpoints.values()].filter(({ verdict }) => verdict === "accepted");
  const credited = (kind: number) =>
    story.run.credits.filter((one) => one.kind === kind).reduce((sum, { amount }) => sum + amount, 0n);

  test("two seats evict the dead provider, and another goes on from its last commit", () => {
    const [kill] = story.run.kills;
    // Also one that was under way when it died: what the chain has under its fence is its last word.
    const committed = [...story.run.checkpoints.values()].filter(({ fence }) => fence === 1);
    const lastCommit = Math.max(0, ...committed.map(({ step }) => step));
    expect(kill?.signedMs.length).toBeGreaterThanOrEqual(2);
    expect(story.run.leases.get(1)?.cause).toBe("evicted");
    expect(kill?.resumedFrom).toBe(lastCommit);
  });

  test("once it is settled, nothing of the job is left on the disks of those that still run", async () => {
    const alive = story.providers.filter(({ name }) => name === "B");
    expect(alive).toHaveLength(1);
    for (const daemon of alive) {
      await daemon.waitFor("job.dropped", ({ job }) => job === String(story.jobId));
      expect(readdirSync(path.join(daemon.dataDir, "jobs"))).toEqual([]);
    }
  });

  test("each accepted step is the next one, whoever trained it", () => {
    expect(accepted().map(({ step }) => step)).toEqual(
      Array.from({ length: STEPS / INTERVAL }, (_, i) => (i + 1) * INTERVAL),
    );
  });

  test("junk is refused by replay, unpaid, and its maker barred", async () => {
    const junk = [...story.run.checkpoints.values()].filter(({ provider }) => provider === address("P"));
    expect(junk.map(({ verdict }) => verdict)).toContain("refused");
    expect(junk.map(({ verdict }) => verdict)).not.toContain("accepted");
    const refused = junk.find(({ verdict }) => verdict === "refused");
    const votes = refused?.votes.map(({ outcome }) => outcome) ?? [];
    expect(votes.filter((outcome) => outcome === "refuse").length).toBeGreaterThanOrEqual(2);
    expect(refused?.gates.some(({ gate, ok }) => gate === "replay" && !ok)).toBe(true);
    const barred = await story.client.read.canAcquire({ jobId: story.jobId, provider: address("P") as `0x${string}` });
    // The job is over; what stands is that P never got another lease after its refusal.
    expect(barred.reason).not.toBe("None");
    expect([...story.run.leases.values()].filter(({ provider }) => provider === address("P"))).toHaveLength(1);
  });

  test("every base unit of the budget went where the protocol says", () => {
    const pay = accepted().reduce((sum, { provider }) => {
      const price = [...story.run.leases.values()].find((lease) => lease.provider === provider)?.price ?? 0n;
      return sum + price * BigInt(INTERVAL);
    }, 0n);
    const votes = accepted().reduce(
      (sum, { votes }) => sum + votes.filter(({ outcome }) => outcome === "accept").length,
      0,
    );
    const fee = (pay * 800n) / 10_000n;
    expect(credited(CREDIT_KINDS.providerPay)).toBe(pay);
    expect(credited(CREDIT_KINDS.verifierFee)).toBe(BigInt(votes) * FEE);
    expect([0n, fee]).toContain(credited(CREDIT_KINDS.protocolFee));
    expect(pay + BigInt(votes) * FEE + credited(CREDIT_KINDS.protocolFee) + credited(CREDIT_KINDS.refund)).toBe(
      TERMS.budget,
    );
    expect(story.run.settled?.providerPay).toBe(pay);
    expect(story.run.settled?.refund).toBe(credited(CREDIT_KINDS.refund));
  });

  test("the refused round is paid from the maker's bond, not from the budget", () => {
    const fromBond = story.run.slashes.filter(({ account }) => account === address("P"));
    const refusals = [...story.run.checkpoints.values()].filter(({ verdict }) => verdict === "refused");
    expect(refusals).toHaveLength(1);
    const judges = refusals[0]?.votes.filter(({ outcome }) => outcome === "refuse").length ?? 0;
    expect(fromBond.reduce((sum, { amount }) => sum + amount, 0n)).toBe(FEE * BigInt(judges));
  });

  test("everybody withdrew, and the escrow holds exactly what it still owes", async () => {
    const claimable = await Promise.all(
      [...network.daemons.map(({ account }) => account), localAccounts.client, localAccounts.treasury].map(
        ({ address }) => story.client.read.getAccount({ account: address }),
      ),
    );
    expect(claimable.map((one) => one.claimable)).toEqual(claimable.map(() => 0n));
    const bonds = claimable.reduce((sum, { bond }) => sum + bond, 0n);
    expect(story.reserves).toEqual({ held: bonds, owed: bonds });
  });

  test("the report adds up, and the recording holds the whole run", async () => {
    const nameOf = (wanted: string) =>
      network.daemons.find(({ account }) => account.address === wanted)?.name ?? wanted;
    const report = makeReport({
      ...{ run: story.run, nameOf, junkProvider: address("P"), reserves: story.reserves, wallMs: 1 },
      chainId: network.deployment.chainId,
      blockTimeMs: 1000,
      steps: STEPS,
      checkpointInterval: INTERVAL,
      budget: TERMS.budget,
      providers: story.providers.map(({ account }) => account.address),
      verifiers: network.daemons.filter(({ role }) => role === "verifier").map(({ account }) => account.address),
      final: { accuracy: 0, balancedAccuracy: 0, nll: 0, heldOut: 0 },
      speed: { bareStepsPerSecond: 1, runStepsPerSecond: 1 },
    });
    const { providers, verifiers, fee, refund, budget } = report.money;
    const parts = [...Object.values(providers), verifiers as string, fee, refund];
    expect(parts.reduce((sum, one) => sum + baseUnits(one), 0n)).toBe(baseUnits(budget));
    expect(report.junk).toMatchObject({ provider: "P", refused: true, gate: "replay", paid: "0.000000" });

    const recording = await makeRecording({ network, recorder, story, workload, report, nameOf });
    const replayed = runOf(recording.timeline);
    // Seats tell of their gates by ways of their own, so some arrive after later ones; the recording has them in order.
    expect(inOrder(replayed)).toEqual(inOrder(story.run));
    expect(replayed.settled).toEqual(story.run.settled);
  });
});
