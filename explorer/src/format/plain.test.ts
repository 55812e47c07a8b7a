import { expect, test } from "vitest";
import { plainText } from "./plain.ts";

test.each([
  ["a name stays as it is", "Müller & Söhne 🚀 日本", "Müller & Söhne 🚀 日本"],
  ["line breaks and tabs", "a\n\tb\r\nc", "a b c"],
  ["marks that turn the direction", "evil\u202etxt.exe", "evil txt.exe"],
  ["letters that take no room", "A\u200b\u2060", "A"],
  ["escapes of a terminal", "\u001b[31mred\u0007", "[31mred"],
  ["towers of marks", `z${"\u0301".repeat(50)}`, `z${"\u0301".repeat(3)}`],
  ["markup is text like any other", "<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  ["nothing but what cannot be seen", "\u200b\u202e", ""],
])("%s", (_, text, shown) => {
  expect(plainText(text)).toBe(shown);
});

test("what is too long ends in an ellipsis, between whole letters", () => {
  expect(plainText("🚀".repeat(100), 10)).toBe(`${"🚀".repeat(9)}…`);
});
