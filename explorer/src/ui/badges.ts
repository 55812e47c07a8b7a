import type { IconName } from "./Icon.tsx";

/** What each badge means is said once, here; Help prints this table. */
export const BADGES = {
  realGpu: {
    icon: "gpu",
    label: "Real GPU",
    derived: false,
    meaning: "Trained on a physical GPU, as the recorder says. Software can’t prove it.",
  },
  separateMachine: {
    icon: "separate",
    label: "Separate machine",
    derived: false,
    meaning: "The parties ran on machines of their own, as the recorder says.",
  },
  sameMachine: {
    icon: "capped",
    label: "One machine",
    derived: false,
    meaning: "All parties ran as processes of one machine, as the recorder says.",
  },
  cappedProfile: {
    icon: "capped",
    label: "Capped profile",
    derived: false,
    meaning: "Processes on one machine, each with a cap on memory or threads.",
  },
  injectedFault: {
    icon: "cross",
    label: "Injected fault",
    derived: true,
    meaning: "We broke something on purpose; the recording marks where.",
  },
  recorded: {
    icon: "recorded",
    label: "Recorded",
    derived: true,
    meaning: "This happened earlier and is being replayed.",
  },
  simulated: {
    icon: "simulated",
    label: "Simulated",
    derived: true,
    meaning: "Computed in this page from made-up speeds and prices.",
  },
  localChain: {
    icon: "chain",
    label: "Local chain",
    derived: true,
    meaning: "The chain runs on one machine. Its money is worth nothing.",
  },
  testnet: {
    icon: "chain",
    label: "Test network",
    derived: true,
    meaning: "A public test network. Its money is worth nothing.",
  },
  synthetic: {
    icon: "dots",
    label: "Synthetic data",
    derived: false,
    meaning: "The training data was generated, not collected.",
  },
  selfReported: {
    icon: "self",
    label: "Self-reported",
    derived: false,
    meaning: "The party says so of itself; nothing on chain checks it.",
  },
  estimate: {
    icon: "estimate",
    label: "Estimate",
    derived: true,
    meaning: "Worked out from assumptions that stand beside it.",
  },
  live: { icon: "dot", label: "Live", derived: true, meaning: "Read from the chain while you watch." },
} as const satisfies Record<string, { icon: IconName; label: string; derived: boolean; meaning: string }>;

export type BadgeKind = keyof typeof BADGES;
