/** Published rental rates of another market, each with its date and where it was read. Not our measurements. */
export const MARKET_RATES = [
  {
    card: "RTX 3090, 24 GB",
    usdPerHour: "from 0.18",
    how: "Vast.ai, interruptible",
    asOf: "May 2026",
    source: "https://fairlane.systems/en/wissen/tool-vast-ai",
  },
  {
    card: "RTX 4090, 24 GB",
    usdPerHour: "from 0.31",
    how: "Vast.ai, interruptible",
    asOf: "May 2026",
    source: "https://fairlane.systems/en/wissen/tool-vast-ai",
  },
  {
    card: "RTX 4090, 24 GB",
    usdPerHour: "0.682–0.875",
    how: "Vast.ai, on demand",
    asOf: "June 2026",
    source: "https://www.usagepricing.com/blueprint/vast-ai",
  },
  {
    card: "A100, 80 GB",
    usdPerHour: "1.166–1.205",
    how: "Vast.ai, on demand",
    asOf: "June 2026",
    source: "https://www.usagepricing.com/blueprint/vast-ai",
  },
] as const;
