// Control characters, marks that turn the direction of writing, and those that take no room: they make one name look like another.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;
/** More marks on one letter than any script has: they would reach over the lines above and below. */
const STACKED = /(\p{M}{3})\p{M}+/gu;

/** A stranger's text as a page may show it: one line, nothing hidden in it, no longer than `most`. */
export function plainText(text: string, most = 64): string {
  const seen = text.replace(UNSEEN, " ").replace(STACKED, "$1").replace(/\s+/g, " ").trim();
  const letters = [...seen];
  return letters.length <= most ? seen : `${letters.slice(0, most - 1).join("")}…`;
}
