import { createRandom, type Random } from "./random.ts";

/** A moment in a job's life at which a fault begins: the n-th time that something happens. */
export interface Moment {
  readonly at: (typeof MOMENTS)[number];
  readonly n: number;
}

export const MOMENTS = [
  "begun",
  "posted",
  "leased",
  "step",
  "stored",
  "committed",
  "signed",
  "accepted",
  "completed",
] as const;

/** Whom a fault meets. `holder` and `standby` are the providers as they stand when it begins. */
export type Target = "client" | "holder" | "standby" | "seat" | "twoSeats" | "allSeats" | "everyone";

export type RpcTrouble = "stall" | "limit" | "lag" | "refuse" | "drop" | "repeat" | "reorder";

export type Fault = { readonly when: Moment; readonly delayMs: number; readonly lastsMs: number } & (
  | { readonly kind: "kill" | "stop" | "diskFull" | "oldJournal" | "sameKey"; readonly target: Target }
  | { readonly kind: "clock"; readonly target: Target; readonly offsetSeconds: number }
  | { readonly kind: "rpc"; readonly target: Target; readonly trouble: RpcTrouble }
  | { readonly kind: "cut" | "slow"; readonly target: "seat" | "twoSeats" | "allSeats" }
  | { readonly kind: "reorg"; readonly depth: number }
);

export interface Story {
  readonly index: number;
  readonly faults: readonly Fault[];
}

type Card = (random: Random) => Fault;

/** What a story is about: sixty of them see each card two or three times. */
const DECK: readonly Card[] = [
  (r) => ({ kind: "kill", target: "holder", ...timed(r, 0, 1500) }),
  (r) => ({ kind: "kill", target: "standby", ...timed(r, 0, 1500) }),
  (r) => ({ kind: "kill", target: "seat", ...timed(r, 0, 1500) }),
  (r) => ({ kind: "kill", target: "twoSeats", ...timed(r, 0, 1500) }),
  (r) => ({ kind: "kill", target: "allSeats", ...timed(r, 0, 1500) }),
  (r) => ({ kind: "kill", target: "everyone", ...timed(r, 0, 1500) }),
  // Its first seconds, in which it posts and uploads, are the ones that matter.
  (r) => ({
    kind: r.pick(["kill", "kill", "stop"] as const),
    target: "client",
    ...timed(r, 0, 1500),
    when: { at: r.pick(["begun", "posted", "leased", "accepted"] as const), n: 1 },
    delayMs: r.integer(0, 2000),
  }),
  (r) => ({ kind: "stop", target: "holder", ...timed(r, 200, 4000) }),
  (r) => ({ kind: "stop", target: r.pick(["seat", "twoSeats", "standby"] as const), ...timed(r, 200, 4000) }),
  (r) => ({ kind: "cut", target: r.pick(["seat", "twoSeats", "allSeats"] as const), ...timed(r, 100, 3000) }),
  (r) => ({ kind: "slow", target: r.pick(["seat", "twoSeats", "allSeats"] as const), ...timed(r, 1000, 3000) }),
  ...(["stall", "limit", "lag", "refuse", "drop", "repeat", "reorder"] as const).map(
    (trouble): Card =>
      (r) => ({
        kind: "rpc",
        trouble,
        target: r.pick(["client", "holder", "seat", "twoSeats", "everyone"]),
        ...timed(r, 500, 4000),
      }),
  ),
  (r) => ({ kind: "reorg", depth: r.integer(1, 4), ...timed(r, 0, 0) }),
  (r) => ({ kind: "reorg", depth: r.integer(1, 4), ...timed(r, 0, 0) }),
  (r) => ({ kind: "diskFull", target: r.pick(["holder", "seat"]), ...timed(r, 500, 3000) }),
  (r) => ({
    kind: "clock",
    target: r.pick(["holder", "seat"]),
    offsetSeconds: r.pick([-86_400, -90, 90, 86_400]),
    ...timed(r, 0, 0),
  }),
  (r) => ({ kind: "oldJournal", target: r.pick(["holder", "seat"]), ...timed(r, 300, 1200) }),
  (r) => ({ kind: "sameKey", target: r.pick(["holder", "seat"]), ...timed(r, 1000, 4000) }),
];

function timed(random: Random, shortest: number, longest: number): Pick<Fault, "when" | "delayMs" | "lastsMs"> {
  const at = random.pick(MOMENTS);
  const n =
    at === "step"
      ? random.integer(1, 90)
      : at === "begun" || at === "posted" || at === "leased" || at === "completed"
        ? 1
        : random.integer(1, 4);
  return { when: { at, n }, delayMs: random.integer(0, 250), lastsMs: random.integer(shortest, longest) };
}

/** The stories of a seed. Story `i` is the same however many there are. */
export function storyOf(seed: number, index: number): Story {
  const round = Math.floor(index / DECK.length);
  const deck = createRandom(seed, 0, round).shuffle(DECK);
  const random = createRandom(seed, 1, index);
  const main = deck[index % DECK.length] as Card;
  const extra = random.next() < 0.4 ? [random.pick(DECK)] : [];
  return { index, faults: [main, ...extra].map((card) => card(random)) };
}

/** A fault in a few words, for tables. */
export function describeFault(fault: Fault): string {
  const where = `at ${fault.when.at}${fault.when.n > 1 ? ` ${fault.when.n}` : ""}+${fault.delayMs} ms`;
  const lasting = fault.lastsMs > 0 ? ` for ${fault.lastsMs} ms` : "";
  switch (fault.kind) {
    case "reorg":
      return `reorg of ${fault.depth} ${where}`;
    case "rpc":
      return `rpc ${fault.trouble} ${fault.target} ${where}${lasting}`;
    case "clock":
      return `clock ${fault.offsetSeconds > 0 ? "+" : ""}${fault.offsetSeconds} s ${fault.target} ${where}`;
    default:
      return `${fault.kind} ${fault.target} ${where}${lasting}`;
  }
}
