import type { NavigateOptions } from "@tanstack/react-router";
import { isAddress, shortHash } from "../../format/hash.ts";
import type { RecordingSummary } from "../../recordings/summary.ts";
import { PAGES } from "./pages.ts";

export interface Target {
  readonly label: string;
  readonly hint: string;
  readonly to: NavigateOptions;
}

/** What a search can lead to. An address or a number is taken at its word; anything else is matched against names. */
export function findTargets(query: string, recordings: readonly RecordingSummary[]): Target[] {
  const text = query.trim().toLowerCase();
  if (isAddress(text)) {
    return [
      {
        label: `Check wallet ${shortHash(text)}`,
        hint: "what the escrow owes it",
        to: { to: "/ledger", search: { account: text } },
      },
      {
        label: `Provider ${shortHash(text)}`,
        hint: "its record",
        to: { to: "/providers/$address", params: { address: text } },
      },
    ];
  }
  const found: Target[] = [];
  if (/^\d{1,12}$/.test(text)) {
    found.push({ label: `Run ${text}`, hint: "on the chain", to: { to: "/runs/$id", params: { id: text } } });
  }
  for (const recording of recordings) {
    if (!`${recording.title} ${recording.slug} recording`.toLowerCase().includes(text)) continue;
    found.push({
      label: recording.title,
      hint: "recorded run",
      to: { to: "/runs/$id", params: { id: recording.slug } },
    });
  }
  for (const page of PAGES) {
    if (`${page.label} ${page.words}`.toLowerCase().includes(text)) {
      found.push({ label: page.label, hint: "page", to: { to: page.to } });
    }
  }
  return found.slice(0, 12);
}
