import { encodeJobSpec, maxLiability, parseJobSpec, sha256Hex } from "@gpuchain/sdk/records";
import { checkDataset, createProgram, decodeDataset } from "@gpuchain/sdk/training";
import { describe, expect, it } from "vitest";
import { cleanMail } from "./cleanMail.ts";
import { spamWorkload } from "./spam.ts";
import { spamMails } from "./spamMails.ts";

describe("the spam-or-ham workload", () => {
  const { spec, train, heldOut } = spamWorkload();

  it("is a valid job whose blobs are the ones that its spec names", () => {
    expect(parseJobSpec(encodeJobSpec(spec))).toEqual(spec);
    expect(spec.data.train).toEqual({ sha256: sha256Hex(train), bytes: train.length });
    expect(spec.data.heldOut.plain).toBe(sha256Hex(heldOut));
    for (const blob of [train, heldOut]) expect(() => checkDataset(spec.model, decodeDataset(blob))).not.toThrow();
    expect(createProgram(spec).layout.size).toBeGreaterThan(900_000);
  });

  it("is the same on every build", () => {
    expect(encodeJobSpec(spamWorkload().spec)).toEqual(encodeJobSpec(spec));
  });

  it("holds the demo's sizes: about 3,800 mails to train on, 1,500 held out, a quarter of them spam", () => {
    const held = decodeDataset(heldOut);
    const spam = held.columns.labels?.data.filter((label) => label === 1).length ?? 0;
    expect(decodeDataset(train).examples).toBeGreaterThan(3500);
    expect(held.examples).toBeGreaterThanOrEqual(1500);
    expect(spam / held.examples).toBeGreaterThan(0.2);
    expect(spam / held.examples).toBeLessThan(0.3);
  });

  it("costs at most what the demo's budget covers", () => {
    const terms = { totalSteps: 400n, maxPricePerStep: 3000n, checkpointInterval: 50n, verifierFee: 10_000n };
    expect(maxLiability(terms)).toBeLessThan(5_000_000n);
  });
});

describe("cleaned mails", () => {
  it("have no repetitions, and none without words", () => {
    const mails = spamMails();
    expect(new Set(mails.map(({ text }) => text)).size).toBe(mails.length);
    expect(mails.length).toBeGreaterThan(5000);
  });

  it.each([
    [
      "keep the subject and drop all other headers",
      "From: a@b.c\nSubject: Hi there\nX-Spam: no\n\nBody text",
      "hi there",
      "body text",
    ],
    ["join a folded subject", "Subject: one\n two\n\nx", "one two", "x"],
    [
      "decode quoted-printable",
      "Subject: s\nContent-Transfer-Encoding: quoted-printable\n\nFree=20mo=\nney",
      "s",
      "free money",
    ],
    [
      "decode base64",
      `Subject: s\nContent-Transfer-Encoding: base64\n\n${Buffer.from("Win now").toString("base64")}`,
      "s",
      "win now",
    ],
    [
      "take the text parts of a multipart",
      'Subject: s\nContent-Type: multipart/mixed; boundary="B"\n\n--B\nContent-Type: text/plain\n\nwords\n--B\nContent-Type: image/png\n\nAAAA\n--B--',
      "s",
      "words",
    ],
    [
      "turn links, addresses and numbers into marks",
      "Subject: s\n\nSee http://x.y/z or me@x.y by 2002",
      "s",
      "see qqurl or qqemail by 0",
    ],
    ["strip markup", "Subject: s\n\n<p>Buy&nbsp;<b>it</b></p>", "s", "buy it"],
  ])("%s", (_, raw, subject, body) => {
    const cleaned = cleanMail(raw);
    expect({ subject: cleaned.subject, body: cleaned.body.replace(/\s+/g, " ").trim() }).toEqual({ subject, body });
  });
});
