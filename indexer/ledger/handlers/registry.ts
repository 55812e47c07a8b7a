import type { registryAbi } from "../abi.ts";
import type { Tables } from "../tables.ts";
import type { EventArgs, Handlers } from "./handler.ts";

type Args<N extends keyof Handlers<typeof registryAbi>> = EventArgs<typeof registryAbi, N>;

/** Templates, configs, providers, verifiers: who takes part, on which terms. */
export const registryHandlers: Handlers<typeof registryAbi> = {
  async TemplateApproved(entry, { templateId, name, minVerifierFee }) {
    const row = { id: templateId, name, minVerifierFee, approved: true, jobs: 0, block: entry.block };
    await entry.put("template", row, { name, minVerifierFee, approved: true });
  },

  async TemplateRevoked(entry, { templateId }) {
    await entry.edit("template", { id: templateId }, { approved: false });
  },

  async ConfigNamed(entry, { configId, arbiter, treasury }) {
    await entry.store.insert("jobConfig", {
      ...{ id: configId, arbiter, treasury, namedAt: entry.now, block: entry.block },
    });
  },

  OwnershipTransferStarted() {
    // The owner approves templates and names configs; it moves no money, so the journal row says it all.
  },

  OwnershipTransferred() {},

  async ProviderRegistered(entry, { provider, payout, profile }) {
    entry.account = provider;
    const terms = { ...profileOf(profile), payout, accepting: true, exitAt: null, exited: false };
    const fresh: Tables["provider"] = {
      ...{ address: provider, ...terms, registeredAt: entry.now, leaseCount: 0, liveLeases: 0, leaseSeconds: 0 },
      ...{ takeOvers: 0, handOvers: 0, evictionCount: 0, checkpointCount: 0, stepsAccepted: 0, stepsRefused: 0 },
      ...{ refusals: 0, unavailable: 0, stepsPaid: 0, earned: 0n, owed: 0n, bondLost: 0n },
      ...{ lastActiveAt: entry.now, block: entry.block },
    };
    entry.total({ providers: 1 });
    // Whoever comes back after leaving keeps its record.
    await entry.put("provider", fresh, { ...terms, lastActiveAt: entry.now });
  },

  async ProviderUpdated(entry, { provider, profile }) {
    entry.account = provider;
    await entry.edit("provider", { address: provider }, profileOf(profile));
  },

  async PayoutChanged(entry, { provider, payout }) {
    entry.account = provider;
    await entry.edit("provider", { address: provider }, { payout });
  },

  async AcceptingSet(entry, { provider, accepting }) {
    entry.account = provider;
    await entry.edit("provider", { address: provider }, { accepting });
  },

  async VerifierRegistered(entry, { verifier, verifierId, activeFrom, profile }) {
    entry.account = verifier;
    const status = "Active" as const;
    const terms = { verifierId, ...verifierProfile(profile), status, activeFrom, termsFrom: activeFrom, exitAt: null };
    const fresh: Tables["verifier"] = {
      ...{ address: verifier, ...terms, registeredAt: entry.now, seatCount: 0, sitting: 0, voteCount: 0, decided: 0 },
      ...{ disagreements: 0, latencySum: 0, latencyMax: 0, missedSeats: 0, faults: 0 },
      ...{ earned: 0n, bondLost: 0n, lastVoteAt: null, block: entry.block },
    };
    entry.total({ verifiers: 1 });
    await entry.put("verifier", fresh, terms);
  },

  async VerifierUpdated(entry, { verifier, effectiveFrom, profile }) {
    entry.account = verifier;
    await entry.edit(
      "verifier",
      { address: verifier },
      {
        ...verifierProfile(profile),
        termsFrom: effectiveFrom,
      },
    );
  },

  async VerifierSuspended(entry, { verifier }) {
    entry.account = verifier;
    await entry.edit("verifier", { address: verifier }, { status: "Suspended" });
  },

  async VerifierResumed(entry, { verifier, activeFrom }) {
    entry.account = verifier;
    await entry.edit("verifier", { address: verifier }, { status: "Active", activeFrom });
  },

  async ExitRequested(entry, { account, exitAt }) {
    entry.account = account;
    if (await entry.store.find("verifier", { address: account })) {
      await entry.edit("verifier", { address: account }, { status: "Exiting", exitAt });
    } else {
      await entry.edit("provider", { address: account }, { accepting: false, exitAt });
    }
  },

  async Exited(entry, { account }) {
    entry.account = account;
    const verifier = await entry.store.find("verifier", { address: account });
    if (verifier && verifier.status !== "Exited") {
      await entry.edit("verifier", { address: account }, { status: "Exited" });
      entry.total({ verifiers: -1 });
    } else {
      await entry.edit("provider", { address: account }, { exited: true, accepting: false });
      entry.total({ providers: -1 });
    }
  },

  EquivocationReported(entry, { verifier, checkpointId }) {
    // The slash that comes with it counts the fault.
    entry.account = verifier;
    entry.checkpointId = checkpointId;
    entry.jobId = checkpointId >> 32n;
  },
};

function profileOf({ name, pricePerStep, deviceHash, encryptionKey, metadata }: Args<"ProviderRegistered">["profile"]) {
  return { name, pricePerStep, deviceHash, encryptionKey, metadata };
}

function verifierProfile({ endpoint, encryptionKey, minFee, templateMask }: Args<"VerifierRegistered">["profile"]) {
  return { endpoint, encryptionKey, minFee, templateMask };
}
