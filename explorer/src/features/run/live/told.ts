// What a gateway says, before anything is done with it: a stranger runs it, so that its answer may be anything at all.

export interface ToldStep {
  readonly fence: number;
  readonly step: number;
  readonly loss: number;
  readonly ms: number;
  /** epoch ms, by the node's own clock */
  readonly at: number;
}

export interface ToldLog {
  readonly id: number;
  readonly fence: number;
  /** epoch ms, by the node's own clock */
  readonly at: number;
  readonly level: string;
  readonly message: string;
}

export interface ToldPulse {
  readonly address: string;
  readonly connected: boolean;
  readonly silentMs: number;
}

export interface ToldReceipt {
  readonly fence: number;
  readonly nextFence: number;
  readonly from: string;
  readonly to: string;
  readonly cause: string;
  readonly silentAt: number;
  readonly signedAt: number | null;
  readonly endedAt: number;
  readonly firstStepAt: number;
  readonly endedToAcquiredMs: number;
  readonly acquiredToFirstStepMs: number;
  readonly lastStep: number | null;
  readonly resumedFrom: number;
  readonly stepsLost: number | null;
  readonly verifier: string;
}

export interface ToldGate {
  readonly gate: "integrity" | "replay" | "quality";
  readonly ok: boolean;
  readonly reason: string;
  readonly fromStep: number | null;
  readonly toStep: number | null;
  readonly distanceParams: number | null;
  readonly distanceMoment: number | null;
  readonly accuracy: number | null;
  readonly balancedAccuracy: number | null;
  readonly nll: number | null;
}

type Check = (value: unknown) => boolean;
const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const number: Check = (value) => typeof value === "number" && Number.isFinite(value);
/** A moment that a date can show, epoch ms. */
const moment: Check = (value) => number(value) && Math.abs(value as number) < 8.64e15;
const words: Check = (value) => typeof value === "string" && value.length <= 2_000;
const yesNo: Check = (value) => typeof value === "boolean";
const address: Check = (value) => typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);
const orNothing =
  (check: Check): Check =>
  (value) =>
    value === null || value === undefined || check(value);

const record =
  <Told>(checks: Readonly<Record<keyof Told, Check>>) =>
  (value: unknown): value is Told =>
    typeof value === "object" &&
    value !== null &&
    Object.entries<Check>(checks).every(([field, check]) => check((value as Record<string, unknown>)[field]));

export const isStep = record<ToldStep>({ fence: count, step: count, loss: number, ms: number, at: moment });
export const isLog = record<ToldLog>({ id: count, fence: count, at: moment, level: words, message: words });
export const isPulse = record<ToldPulse>({ address, connected: yesNo, silentMs: moment });
export const isReceipt = record<ToldReceipt>({
  ...{ fence: count, nextFence: count, from: address, to: address, cause: words, verifier: address },
  ...{ silentAt: moment, signedAt: orNothing(moment), endedAt: moment, firstStepAt: moment },
  ...{ endedToAcquiredMs: moment, acquiredToFirstStepMs: moment },
  ...{ lastStep: orNothing(count), resumedFrom: count, stepsLost: orNothing(count) },
});
export const isGate = record<ToldGate>({
  gate: (value) => value === "integrity" || value === "replay" || value === "quality",
  ...{ ok: yesNo, reason: words, fromStep: orNothing(count), toStep: orNothing(count) },
  ...{ distanceParams: orNothing(number), distanceMoment: orNothing(number) },
  ...{ accuracy: orNothing(number), balancedAccuracy: orNothing(number), nll: orNothing(number) },
});
export const isAddressText = (value: unknown): value is string => address(value);

/** Those of a list that say what they should; of anything else, none. */
export const only = <Told>(is: (value: unknown) => value is Told, list: unknown): Told[] =>
  Array.isArray(list) ? list.filter(is) : [];
