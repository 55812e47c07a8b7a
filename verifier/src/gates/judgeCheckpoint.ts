import type { Compute, ReplayResult } from "@gpuchain/sdk/compute";
import type { GateResult, Interval } from "@gpuchain/sdk/gateway";
import { type Hex, type JobSpec, type TraceLeaf, toScore } from "@gpuchain/sdk/records";
import { drawDistinct } from "@gpuchain/sdk/training";
import { checkTrace } from "./checkTrace.ts";
import { type Judgement, NO_PREDICTIONS } from "./judgement.ts";

/** What is judged: all of it public, so that anybody can come to the same judgement. */
export interface Subject {
  readonly spec: JobSpec;
  readonly step: number;
  readonly stateHash: Hex;
  /** hash of the block that holds the commit: decides what is replayed and measured */
  readonly commitBlockHash: Hex;
  readonly parentStep: number;
  readonly statePath: string;
  readonly parentPath: string | "genesis";
  readonly leaves: readonly TraceLeaf[];
  readonly isLastStep: boolean;
  /** examples in the held-out set; 0 when it is not to be had */
  readonly heldOutExamples: number;
  /** what this judge measured of the parent when it judged that, on the parent's own subset */
  readonly parentMetrics?: Metrics;
}

export interface JudgeParameters {
  readonly subject: Subject;
  /** Exclusive use of the judging process with the job opened. */
  readonly use: <T>(work: (compute: Compute) => Promise<T>) => Promise<T>;
  /**
   * Whether this provider's work has given the same bits here before: then a replay is expected to end in the claimed hash, and the state
   * after an interval is fetched only when it does not.
   */
  readonly sameBits?: boolean;
  /** Files of the asked trace states, for those that could be had in time. */
  readonly states: (hashes: readonly Hex[]) => Promise<ReadonlyMap<Hex, string>>;
  /** Intervals that peers refused: replayed too before this verifier signs. */
  readonly peerIntervals: () => readonly Interval[];
  readonly onGate?: (result: GateResult) => void;
  readonly signal: AbortSignal;
}

/** Intervals of the trace that every judge replays, as pairs of leaf indices (-1: the parent). */
export function drawnIntervals(subject: Pick<Subject, "spec" | "leaves" | "commitBlockHash">): number[] {
  const { spec, leaves, commitBlockHash } = subject;
  return drawDistinct(commitBlockHash, "intervals", leaves.length, spec.acceptance.replayedIntervals);
}

/** Held-out examples on which a checkpoint and the one before it are measured; undefined: all of them. */
export function drawnSubset(
  subject: Pick<Subject, "spec" | "commitBlockHash" | "heldOutExamples">,
): number[] | undefined {
  const { spec, commitBlockHash, heldOutExamples } = subject;
  if (spec.acceptance.subset >= heldOutExamples) return undefined;
  return drawDistinct(commitBlockHash, "held-out", heldOutExamples, spec.acceptance.subset);
}

/** States that the replay of the drawn intervals needs, beside the parent and the checkpoint: those before and, unless equal bits are expected, after. */
export function statesToAskFor(
  subject: Pick<Subject, "spec" | "leaves" | "commitBlockHash" | "stateHash">,
  sameBits = false,
): Hex[] {
  const wanted = drawnIntervals(subject).flatMap((index) => [
    subject.leaves[index - 1]?.stateHash,
    ...(sameBits ? [] : [subject.leaves[index]?.stateHash]),
  ]);
  return [...new Set(wanted)].filter((hash) => hash !== undefined && hash !== subject.stateHash) as Hex[];
}

/** The three gates. Only integrity and replay can refuse. */
export async function judgeCheckpoint(parameters: JudgeParameters): Promise<Judgement> {
  const { subject, use, signal, onGate } = parameters;
  const gates: GateResult[] = [];
  const record = (result: GateResult): GateResult => {
    gates.push(result);
    onGate?.(result);
    return result;
  };
  const refuse = (refusedInterval?: Interval, score = 0, predictionsRoot = NO_PREDICTIONS): Judgement => ({
    outcome: "Refuse",
    metTarget: false,
    score,
    predictionsRoot,
    gates,
    ...(refusedInterval === undefined ? {} : { refusedInterval }),
  });

  if (!record(await integrityGate(subject, use)).ok) return refuse();
  signal.throwIfAborted();
  // The states are on their way while the quality is measured.
  const drawn = drawnIntervals(subject);
  // A canonical job's bits are the same everywhere, or the work is refused: the hash alone decides.
  const sameBits = parameters.sameBits === true || subject.spec.class === "canonical";
  const states = parameters.states(statesToAskFor(subject, sameBits));
  states.catch(() => undefined);
  const quality = await qualityGate(subject, use);
  signal.throwIfAborted();
  const files = new Map(await states);
  const score = quality.score;
  const root = quality.predictionsRoot;

  for (const index of drawn) {
    const result = record(await replayInterval(parameters, index, files));
    if (!result.ok) return refuse(result.interval, score, root);
    signal.throwIfAborted();
  }
  if (quality.result !== undefined) record(quality.result);
  if (quality.result?.ok === false) {
    const whole = record(
      await replaySegment(
        subject,
        use,
        "The quality fell beyond the job's tolerance, so the whole segment was replayed.",
      ),
    );
    if (!whole.ok) return refuse(whole.interval, score, root);
  }
  for (const interval of parameters.peerIntervals()) {
    if (wasReplayed(gates, interval, { fromStep: subject.parentStep, toStep: subject.step })) continue;
    const result = record(await replayPeerInterval(parameters, interval, files));
    if (!result.ok) return refuse(result.interval, score, root);
  }
  return { outcome: "Accept", metTarget: subject.isLastStep && quality.metTarget, score, predictionsRoot: root, gates };
}

/** Whether a replay that was done answers for an interval: one around it, or that of the whole segment, which answers for anything a peer may name. */
export const wasReplayed = (gates: readonly GateResult[], { fromStep, toStep }: Interval, whole: Interval): boolean =>
  gates.some(({ gate, interval: done }) => {
    if (gate !== "replay" || done === undefined) return false;
    const isWhole = done.fromStep === whole.fromStep && done.toStep === whole.toStep;
    return isWhole || (done.fromStep <= fromStep && toStep <= done.toStep);
  });

type Use = JudgeParameters["use"];

async function integrityGate(subject: Subject, use: Use): Promise<GateResult> {
  const started = performance.now();
  const problem = checkTrace(subject);
  const inspected =
    problem === undefined
      ? await use((compute) => compute.inspect({ statePath: subject.statePath, expect: { step: subject.step } }))
      : { ok: false, reason: problem };
  return {
    gate: "integrity",
    ok: inspected.ok,
    reason: inspected.ok
      ? `The bytes decode, every number is finite, and ${subject.leaves.length} trace points lead from step ${subject.parentStep} to ${subject.step}.`
      : (inspected.reason ?? "The bytes are not what they claim to be."),
    ms: performance.now() - started,
  };
}

/** Replays one interval between two states that the provider committed to. */
async function replayInterval(
  parameters: JudgeParameters,
  index: number,
  files: Map<Hex, string>,
): Promise<GateResult> {
  const { subject, use } = parameters;
  const { leaves, spec, parentStep } = subject;
  const leaf = leaves[index] as TraceLeaf;
  const before = leaves[index - 1];
  const interval = { fromStep: before?.step ?? parentStep, toStep: leaf.step };
  const fromPath = before === undefined ? subject.parentPath : files.get(before.stateHash);
  if (fromPath === undefined) return replayFromParent(subject, use, leaf, interval);
  const started = performance.now();
  const claimedHash = leaf.stateHash;
  const claimedPath = () => (claimedHash === subject.stateHash ? subject.statePath : files.get(claimedHash));
  const replay = (compute: Compute) => {
    const path = claimedPath();
    return compute.replay({
      fromPath,
      toStep: leaf.step,
      claimedHash,
      ...(path === undefined ? {} : { claimedPath: path }),
    });
  };
  const result = await use(async (compute) =>
    // The digest of the replayed batches tells a start of another step apart, the distance one that is not finite: neither needs a look of
    // its own. Only bytes that cannot be read at all do.
    replay(compute).catch(async (error: unknown) => {
      if (before === undefined) throw error;
      const inspected = await compute.inspect({ statePath: fromPath, expect: { step: before.step } });
      if (inspected.ok) throw error;
      return inspected;
    }),
  );
  // From the parent to a known hash needs nothing of the provider's.
  const source = before === undefined && claimedPath() === undefined ? ("recomputed" as const) : ("provider" as const);
  const common = { gate: "replay" as const, interval, claimedHash };
  if (!("batchDigest" in result))
    return {
      ...common,
      source,
      ok: false,
      reason: `The trace state of step ${before?.step} is not sound: ${result.reason}`,
      ms: performance.now() - started,
    };
  const verdictOf = ({ batchDigest, stateHash, distance, reason, meanLoss }: ReplayResult) => {
    if (batchDigest !== leaf.batchDigest)
      return { ok: false, reason: "The trace names other batches than the job's seed and steps give." };
    const verdict = compare(spec, stateHash, claimedHash, distance, reason);
    if (!verdict.ok || sameLoss(meanLoss, leaf.meanLoss)) return verdict;
    return { ok: false, reason: `The trace says a mean loss of ${leaf.meanLoss}; the replay gives ${meanLoss}.` };
  };
  let replayed = result;
  const settled =
    replayed.stateHash === claimedHash || replayed.batchDigest !== leaf.batchDigest || spec.class === "canonical";
  if (!settled && claimedPath() === undefined) {
    // Other bits than expected: the claimed state itself is needed to measure how far apart the two are.
    for (const [hash, path] of await parameters.states([claimedHash])) files.set(hash, path);
    if (claimedPath() === undefined) return replayFromParent(subject, use, leaf, interval);
    replayed = await use(replay);
  }
  return {
    ...common,
    source: replayed === result ? source : "provider",
    ...verdictOf(replayed),
    replayedHash: replayed.stateHash,
    ...(replayed.distance ? { distance: replayed.distance } : {}),
    ms: performance.now() - started,
  };
}

/** The states did not come: recompute from the parent's bytes. Equal bits at the end of the interval settle it; else the whole segment does. */
async function replayFromParent(subject: Subject, use: Use, leaf: TraceLeaf, interval: Interval): Promise<GateResult> {
  const started = performance.now();
  if (leaf.step < subject.step) {
    const { stateHash } = await use((compute) => compute.replay({ fromPath: subject.parentPath, toStep: leaf.step }));
    if (stateHash === leaf.stateHash)
      return {
        gate: "replay",
        ok: true,
        reason: `Recomputed from the parent: the state after step ${leaf.step} has the same bits.`,
        ms: performance.now() - started,
        interval,
        replayedHash: stateHash,
        claimedHash: leaf.stateHash,
        source: "recomputed",
      };
  }
  return replaySegment(
    subject,
    use,
    "The trace states were not to be had, so the whole segment was replayed from the parent.",
  );
}

async function replaySegment(subject: Subject, use: Use, why: string): Promise<GateResult> {
  const started = performance.now();
  const interval = { fromStep: subject.parentStep, toStep: subject.step };
  const result = await use((compute) =>
    compute.replay({
      fromPath: subject.parentPath,
      toStep: subject.step,
      claimedPath: subject.statePath,
      claimedHash: subject.stateHash,
    }),
  );
  const verdict = compare(subject.spec, result.stateHash, subject.stateHash, result.distance, result.reason);
  return {
    gate: "replay",
    ok: verdict.ok,
    reason: `${why} ${verdict.reason}`,
    ms: performance.now() - started,
    interval,
    replayedHash: result.stateHash,
    claimedHash: subject.stateHash,
    source: "recomputed",
    ...(result.distance ? { distance: result.distance } : {}),
  };
}

/** An interval that a peer refused: between two trace points, or the whole segment. */
async function replayPeerInterval(
  parameters: JudgeParameters,
  interval: Interval,
  files: Map<Hex, string>,
): Promise<GateResult> {
  const { subject, use } = parameters;
  const index = subject.leaves.findIndex(({ step }) => step === interval.toStep);
  const before = subject.leaves[index - 1];
  const isInterval = index >= 0 && (before?.step ?? subject.parentStep) === interval.fromStep;
  if (!isInterval)
    return replaySegment(subject, use, "A peer refused this checkpoint, so the whole segment was replayed.");
  const wanted = [before?.stateHash, subject.leaves[index]?.stateHash].filter(
    (hash) => hash !== undefined && hash !== subject.stateHash && !files.has(hash),
  ) as Hex[];
  for (const [hash, path] of await parameters.states(wanted)) files.set(hash, path);
  return replayInterval(parameters, index, files);
}

/** Devices agree on a mean loss to about a millionth; what a provider tells of its curve is held to a thousandth. */
const sameLoss = (replayed: number, told: number): boolean =>
  Math.abs(replayed - told) <= 1e-3 * Math.max(1, Math.abs(replayed));

function compare(
  spec: JobSpec,
  replayed: Hex,
  claimed: Hex,
  distance: { params: number; moment: number } | undefined,
  reason: string | undefined,
): { ok: boolean; reason: string } {
  if (replayed === claimed) return { ok: true, reason: "The replay gives the same bits." };
  if (spec.class === "canonical")
    return { ok: false, reason: "A canonical job must give the same bits on every machine; the replay gives others." };
  if (distance === undefined) return { ok: false, reason: reason ?? "The claimed state could not be compared." };
  const limits = spec.acceptance.distance;
  const shown = `update distance ${distance.params.toExponential(1)} (limit ${limits.params}) over parameters, ${distance.moment.toExponential(1)} (limit ${limits.moment}) over moments`;
  const ok = distance.params < limits.params && distance.moment < limits.moment;
  return { ok, reason: ok ? `The replay agrees: ${shown}.` : `The claimed steps were not trained: ${shown}.` };
}

type Metrics = NonNullable<GateResult["metrics"]>;

interface Quality {
  readonly result: GateResult | undefined;
  readonly score: number;
  readonly metTarget: boolean;
  readonly predictionsRoot: Hex;
}

/**
 * Measures the checkpoint on held-out examples, against the state before it. A drop is a reason to look closer, not to refuse. The state
 * before is measured on the same examples unless what is known of it leaves the answer in no doubt: a known value comes from other examples,
 * so it counts only within half the tolerance.
 */
async function qualityGate(subject: Subject, use: Use): Promise<Quality> {
  const { metric, tolerance, target } = subject.spec.acceptance;
  // A client that withholds its held-out data loses the gate and the target, never the provider's pay.
  if (subject.heldOutExamples === 0)
    return { result: undefined, score: 0, metTarget: false, predictionsRoot: NO_PREDICTIONS };
  const started = performance.now();
  const indices = drawnSubset(subject);
  const request = (statePath: string) => ({ statePath, ...(indices ? { indices } : {}) });
  const dropOf = (before: Metrics, now: Metrics) =>
    (metric === "nll" ? -1 : 1) * (metricValue(before, metric) - metricValue(now, metric));
  const known = subject.parentMetrics;
  const { now, before, final } = await use(async (compute) => {
    const now = await compute.evaluate(request(subject.statePath));
    const isPlain = known !== undefined && dropOf(known, now) <= tolerance / 2;
    return {
      now,
      before: isPlain ? undefined : await compute.evaluate(request(subject.parentPath)),
      // The target is held against the whole set, once: a subset's luck decides nothing.
      final: subject.isLastStep && indices ? await compute.evaluate({ statePath: subject.statePath }) : undefined,
    };
  });
  const baseline = before ?? (known as Metrics);
  const ok = dropOf(baseline, now) <= tolerance;
  const decisive = final ?? now;
  const reached = metricValue(decisive, metric);
  const [value, earlier] = [metricValue(now, metric), metricValue(baseline, metric)].map((one) => one.toFixed(4));
  const change = `${metric} ${value} after ${earlier}${before ? "" : " (on the examples drawn then)"} on ${now.examples} held-out examples`;
  const whole = final === undefined ? "" : `, ${reached.toFixed(4)} on all ${final.examples}`;
  return {
    result: {
      gate: "quality",
      ok,
      reason: ok ? `${change}${whole}.` : `${change}${whole}: a drop beyond the tolerance of ${tolerance}.`,
      ms: performance.now() - started,
      metrics: metricsOf(decisive),
      baseline: metricsOf(baseline),
      subsetSize: decisive.examples,
    },
    score: Number.isFinite(reached) ? toScore(metric === "nll" ? Math.exp(-reached) : reached) : 0,
    metTarget: metric === "nll" ? reached <= target : reached >= target,
    predictionsRoot: decisive.predictionsRoot,
  };
}

const metricValue = (result: Metrics, metric: "balancedAccuracy" | "nll"): number =>
  metric === "nll" ? result.nll : (result.balancedAccuracy ?? 0);

const metricsOf = ({ accuracy, balancedAccuracy, nll }: Metrics): Metrics => ({
  nll,
  ...(accuracy === undefined ? {} : { accuracy }),
  ...(balancedAccuracy === undefined ? {} : { balancedAccuracy }),
});
