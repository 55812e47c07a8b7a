import type { ChainEvent } from "../../../chain/chainEvent.ts";
import type { SiteConfig } from "../../../config/config.ts";
import { plainText } from "../../../format/plain.ts";
import { address, big, list, num, struct, text } from "../model/args.ts";
import type { FactEntry } from "../model/fold.ts";
import type { RunData } from "../model/recordedRun.ts";
import { packSteps } from "../model/steps.ts";
import type { Party } from "../model/types.ts";
import type { Telemetry } from "./telemetry.ts";
import type { ToldLog } from "./told.ts";

/** What the page takes from a job's spec. */
export interface SpecFacts {
  readonly title?: string;
  /** how far a replayed update may end from the committed one */
  readonly limit?: { readonly params: number; readonly m: number };
}

/** How far another machine's clock may be ahead. */
const CLOCK_SKEW_MS = 60_000;
const LOCAL = new Set([31337, 1337]);

/**
 * A run as the chain and the gateways tell it so far; undefined while no such job was posted.
 * @param now epoch ms of chain time
 * @param wall epoch ms of this browser
 */
export function liveRun(
  jobId: string,
  events: readonly ChainEvent[],
  telemetry: Telemetry,
  config: SiteConfig,
  now: number,
  spec: SpecFacts = {},
  wall: number = Date.now(),
): RunData | undefined {
  const posted = events.find((e) => e.name === "JobPosted" && text(e.args, "jobId") === jobId);
  if (!posted) return undefined;
  const terms = struct(posted.args, "terms");
  const totalSteps = num(terms, "totalSteps");
  const start = (posted.timestamp ?? 0) * 1000;
  const parties = partiesOf(jobId, events, address(posted.args, "client"), address(posted.args, "treasury"));
  const holders = new Map(
    events
      .filter((e) => e.name === "LeaseAcquired" && text(e.args, "jobId") === jobId)
      .map((e) => [num(e.args, "fence"), address(e.args, "provider")]),
  );
  const told = [
    // A gateway hears providers of other jobs too.
    ...telemetry.facts
      .filter((fact) => fact.kind !== "pulse" || parties.has(fact.provider.toLowerCase()))
      .map((fact) => withLimit(fact, spec)),
    ...telemetry.logs.map((line) => logFact(line, parties.get(holders.get(line.fence) ?? "")?.name)),
  ];
  // Moments that others tell are their clocks' word: one from a far future would make a run of ages of every run.
  const latest = Math.max(now, wall) + CLOCK_SKEW_MS;
  const since = (at: number) => Math.max(0, Math.min(at, latest) - start);
  const facts = factsOf(events, posted.block, start, told, since);
  const settled = events.find((e) => e.name === "JobSettled" && text(e.args, "jobId") === jobId);
  const lastStep = telemetry.steps.at(-1);
  const last = Math.max(facts.at(-1)?.t ?? 0, lastStep ? since(lastStep.at) : 0);
  const ended = settled?.timestamp === undefined ? undefined : settled.timestamp * 1000 - start + 2_000;
  return {
    meta: {
      jobId,
      title: spec.title ?? `Job ${jobId}`,
      steps: totalSteps,
      interval: num(terms, "checkpointInterval"),
      budget: big(terms, "budget"),
      maxPrice: big(terms, "maxPricePerStep"),
      verifierFee: big(terms, "verifierFee"),
      leaseDuration: num(terms, "leaseDuration"),
      segmentTimeout: num(terms, "segmentTimeout"),
      auctionRamp: num(terms, "auctionRamp"),
      pulseTimeoutMs: num(terms, "pulseTimeoutMs"),
      client: address(posted.args, "client"),
      specHash: text(terms, "specHash"),
      blockTimeMs: config.blockTimeMs,
      chainName: config.name,
      parties,
    },
    facts,
    steps: packSteps(
      // A gateway's word: no job has steps beyond its last.
      telemetry.steps
        .filter((s) => s.step <= totalSteps)
        .map((s) => ({
          kind: "step" as const,
          t: since(s.at),
          provider: holders.get(s.fence) ?? "",
          fence: s.fence,
          step: s.step,
          loss: s.loss,
          ms: s.ms,
        })),
    ),
    duration: Math.max(1_000, ended ?? Math.max(last, now - start)),
    startedAt: new Date(start),
    badges: [
      { kind: "live", text: settled ? "From the chain, finished" : "Live from the chain" },
      ...(LOCAL.has(config.chainId ?? 0)
        ? [{ kind: "localChain" as const, text: undefined }]
        : [{ kind: "testnet" as const, text: undefined }]),
      ...(telemetry.steps.length > 0 ? [{ kind: "selfReported" as const, text: "Loss self-reported" }] : []),
    ],
    recording: undefined,
  };
}

const withLimit = (fact: FactEntry, { limit }: SpecFacts): FactEntry =>
  fact.kind === "gate" && fact.distance && limit ? { ...fact, limit } : fact;

function logFact({ at, fence, level, message }: ToldLog, holder: string | undefined): FactEntry {
  const known = LEVELS.find((one) => one === level) ?? "info";
  return { kind: "log", t: at, source: holder ?? `fence ${fence}`, level: known, text: plainText(message, 500), fence };
}

const LEVELS = ["debug", "info", "warn", "error"] as const;

function factsOf(
  events: readonly ChainEvent[],
  fromBlock: number,
  start: number,
  told: readonly FactEntry[],
  since: (at: number) => number,
): FactEntry[] {
  const facts: FactEntry[] = [];
  let block = -1;
  for (const event of events) {
    if (event.block < fromBlock) continue;
    const t = Math.max(0, (event.timestamp ?? 0) * 1000 - start);
    if (event.block !== block) {
      block = event.block;
      facts.push({ kind: "block", t, number: block, timestamp: event.timestamp ?? 0 });
    }
    facts.push({
      kind: "event",
      t,
      contract: event.contract,
      name: event.name,
      args: event.args,
      block: event.block,
      timestamp: event.timestamp,
      tx: event.tx,
      logIndex: event.logIndex,
    });
  }
  for (const { t, ...rest } of told) facts.push({ ...rest, t: since(t) } as FactEntry);
  // Stable: what happened in one block keeps its order; what workers told comes after the block of the same moment.
  return facts.sort((a, b) => a.t - b.t);
}

/** Labels for everybody in the run: providers A, B, C … in order of their first lease, seats by number. */
function partiesOf(jobId: string, events: readonly ChainEvent[], client: string, treasury: string): Map<string, Party> {
  const parties = new Map<string, Party>();
  const add = (address: string, role: Party["role"], name: string, more: Partial<Party> = {}) => {
    if (parties.has(address)) return;
    const blank = { description: undefined, device: undefined, index: 0, price: undefined, payout: undefined };
    parties.set(address, { address, role, name, ...blank, ...more });
  };
  const profiles = new Map<string, { name: string; price: bigint }>();
  let providers = 0;
  for (const { name, args } of events) {
    if (name === "ProviderRegistered" || name === "ProviderUpdated") {
      const profile = struct(args, "profile");
      profiles.set(address(args, "provider"), {
        name: plainText(text(profile, "name")),
        price: big(profile, "pricePerStep"),
      });
    }
    if (args.jobId !== undefined && text(args, "jobId") !== jobId) continue;
    if (name === "LeaseAcquired") {
      const who = address(args, "provider");
      if (parties.has(who)) continue;
      const profile = profiles.get(who);
      const label = String.fromCharCode(65 + (providers % 26));
      const more = { description: profile?.name, price: profile?.price, index: ++providers };
      add(who, "provider", label, more);
    } else if (name === "CommitteeSeated") {
      for (const [i, who] of list(args, "verifiers").entries()) add(who, "verifier", `Seat ${i + 1}`);
    } else if (name === "SeatReplaced") {
      add(address(args, "verifier"), "verifier", `Seat ${num(args, "seat") + 1}`);
    }
  }
  add(client, "client", "Client");
  add(treasury, "treasury", "Treasury");
  return parties;
}
