import type { Row } from "../../ledger/tables.ts";

export interface WhyUnpaid {
  /** stable, for programs */
  reason: string;
  /** for people */
  text: string;
  /** seconds; when this reason ends by itself, if it does */
  until: number | null;
}

/**
 * Why a checkpoint's provider has not been paid for it.
 * @param now seconds
 * @returns null once it is paid
 */
export function whyUnpaid(row: Row<"checkpoint">, now: number): WhyUnpaid | null {
  const because = (reason: string, text: string, until: number | null = null): WhyUnpaid => ({ reason, text, until });
  switch (row.status) {
    case "Paid":
      return null;
    case "Pending":
      return row.judgeableAt === null
        ? because("queued", "Checkpoints before it are being judged first.")
        : because("judging", "The seats have not decided yet.");
    case "Accepted":
      if (row.contested) return because("contested", "The client disputes it or one before it; the arbiter decides.");
      if (row.maturesAt !== null && now < row.maturesAt) {
        return because("maturing", "Its dispute window is still open.", row.maturesAt);
      }
      return because("payable", "It is mature: anyone may call payOut now.");
    case "Refused":
      return because("refused", "Two seats refused it; its provider may still appeal.", row.appealUntil);
    case "Appealed":
      return because("appealed", "Two seats refused it; the arbiter decides on the appeal.");
    case "Final":
      return because("refused", "Two seats refused it, and that is final.");
    case "Overturned":
      return because(
        "overturned",
        "The refusal was overturned; the voters' forfeits paid for it, the chain had moved on.",
      );
    case "Unavailable":
      return because("unavailable", "Its bytes were not to be had.");
    case "Void":
      return because("void", "It stood on refused work, or was not judged in time.");
    case "Orphaned":
      return because("orphaned", "It did not follow from the accepted head.");
    case "Cut":
      return because("cut", "The arbiter cut it from the accepted chain.");
  }
}
