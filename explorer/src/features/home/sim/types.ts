/** Money in the simulation is what it is everywhere: whole base units of USDC (6 decimals). */
export type Units = bigint;

export type ProviderId = "A" | "B" | "C";

export interface SimProviderConfig {
  readonly id: ProviderId;
  readonly name: string;
  readonly price: Units;
  /** simulated milliseconds per training step */
  readonly stepMs: number;
}

/** The made-up figures of the simulation. The rules around them are the protocol's. */
export interface SimConfig {
  readonly totalSteps: number;
  readonly interval: number;
  readonly budget: Units;
  readonly maxPrice: Units;
  readonly verifierFee: Units;
  readonly feeBps: bigint;
  readonly rampMs: number;
  readonly pulseTimeoutMs: number;
  /** from the missed pulse to the eviction's block */
  readonly evictMs: number;
  readonly verdictMs: number;
  readonly warmMs: number;
  readonly queue: number;
  readonly deadlineMs: number;
  readonly providers: readonly SimProviderConfig[];
}

export interface SimProvider {
  readonly on: boolean;
  readonly cheating: boolean;
  /** the step at which its work was refused; barred for good from then on */
  readonly barredAt: number | undefined;
  readonly credited: Units;
  readonly acceptedSteps: number;
  readonly lostSteps: number;
  readonly refusedSteps: number;
}

export interface Lease {
  readonly fence: number;
  readonly provider: ProviderId;
  /** last step handed in, or the step it started from */
  readonly base: number;
  readonly step: number;
  /** simulated time at which the next step ends */
  readonly nextStepAt: number;
  /** first junk step since `base` */
  readonly junkFrom: number | undefined;
  readonly silentSince: number | undefined;
}

export interface Pending {
  readonly from: number;
  readonly to: number;
  readonly provider: ProviderId;
  readonly fence: number;
  readonly junk: boolean;
  readonly judgeableAt: number;
}

export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly provider: ProviderId;
}

export interface Discarded extends Segment {
  readonly kind: "lost" | "refused";
}

export interface LogLine {
  readonly at: number;
  readonly text: string;
  readonly bad: boolean;
}

export interface SimState {
  readonly config: SimConfig;
  readonly time: number;
  readonly phase: "ready" | "running" | "completed" | "closed";
  readonly providers: Readonly<Record<ProviderId, SimProvider>>;
  /** when the auction for the lease opened; undefined while somebody holds it or nothing is left to train */
  readonly openSince: number | undefined;
  readonly fence: number;
  readonly lease: Lease | undefined;
  readonly head: number;
  readonly pending: readonly Pending[];
  readonly accepted: readonly Segment[];
  readonly discarded: readonly Discarded[];
  readonly seats: Units;
  /** fees for refused rounds, from the refused provider's own bond: never the client's money */
  readonly seatsFromBonds: Units;
  readonly fee: Units;
  readonly refund: Units;
  readonly log: readonly LogLine[];
}
