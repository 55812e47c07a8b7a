// The made-up run as a journal of amounts that nobody has and of more steps than any run could take.
import type { EventArg } from "@gpuchain/sdk/records";
import { ADDRESS, SEATS } from "./madeUp.ts";
import { makeRecording } from "./makeRecording.ts";

export const HUGE = 2n ** 256n - 1n;
export const HUGE_STEPS = 10 ** 15;
const STEPS = 400;

const AMOUNTS = /^(amount|pay|refund|budget|maxPricePerStep|verifierFee|pricePerStep|minFee)$/;
const COUNTS = /^(step|totalSteps|checkpointInterval)$/;

/** Rows as the ledger sends them: everybody registers, and the run goes as it always does. */
export function hugeJournal(): object[] {
  const events = makeRecording().timeline.filter((entry) => entry.kind === "event");
  const first = events[0];
  if (!first) throw new Error("a recording without events");
  const registrations = [
    ...["A", "P", "B"].map((name) => ({
      contract: "Registry",
      name: "ProviderRegistered",
      args: {
        provider: ADDRESS[name] ?? "",
        payout: ADDRESS[name] ?? "",
        profile: { name, pricePerStep: "1", metadata: "" },
      },
    })),
    ...SEATS.map((verifier, i) => ({
      contract: "Registry",
      name: "VerifierRegistered",
      args: { verifier, verifierId: i + 1, profile: { endpoint: "http://127.0.0.1:1", minFee: "1" } },
    })),
    ...[...SEATS, ADDRESS.A ?? "", ADDRESS.P ?? "", ADDRESS.B ?? ""].map((account) => ({
      contract: "Escrow",
      name: "BondDeposited",
      args: { account, payer: account, amount: "1" },
    })),
  ];
  const rows = [
    ...registrations.map((event, i) => ({
      ...event,
      block: first.block - 1,
      timestamp: first.timestamp,
      tx: first.tx,
      logIndex: i,
    })),
    ...events,
  ];
  return rows.map(({ contract, name, args, block, timestamp, tx, logIndex }, i) => {
    const row = { seq: i + 1, contract, name, block, timestamp: timestamp ?? 0, txHash: tx, logIndex };
    return { ...row, args: enlarge(args as Record<string, EventArg>) };
  });
}

function enlarge(args: Readonly<Record<string, EventArg>>): Record<string, EventArg> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]): [string, EventArg] => {
      if (AMOUNTS.test(name)) return [name, String(HUGE)];
      if (COUNTS.test(name)) return [name, String(BigInt(Number(value)) * BigInt(HUGE_STEPS / STEPS))];
      if (typeof value === "object" && !Array.isArray(value)) return [name, enlarge(value as Record<string, EventArg>)];
      return [name, value];
    }),
  );
}
