// A newcomer's own data: subjects of support tickets and the team that answers them.

const SUBJECTS: Readonly<Record<string, readonly [string[], string[], string[]]>> = {
  billing: [
    [
      "I was charged twice for",
      "please refund",
      "the amount is wrong on",
      "when is the payment due for",
      "cannot download",
    ],
    ["my invoice", "the subscription", "last month", "our yearly plan", "this receipt"],
    ["", "on my credit card", "with the wrong VAT", "since the discount", "in euros"],
  ],
  delivery: [
    ["where is", "still waiting for", "the courier lost", "please send again", "the driver did not bring"],
    ["my parcel", "the package", "order 4711", "the second box", "our shipment"],
    ["", "it never arrived", "tracking says delivered", "to the new address", "it came damaged"],
  ],
  login: [
    ["I forgot", "cannot reset", "the site does not accept", "please unlock", "I never get the code for"],
    ["my password", "my account", "the new user", "two factor sign in", "the email address"],
    ["", "after the update", "on my phone", "it says access denied", "from the office"],
  ],
};

/** 375 labelled subjects, always the same. */
export function ticketsCsv(): string {
  const rows = Object.entries(SUBJECTS).flatMap(([team, [first, second, third]]) =>
    first.flatMap((a) => second.flatMap((b) => third.map((c) => `"${[a, b, c].filter(Boolean).join(" ")}",${team}`))),
  );
  return `${["subject,team", ...rows].join("\n")}\n`;
}
