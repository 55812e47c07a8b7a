// Control characters but tab and line break, C1's among them, and marks that turn the direction of writing.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text as a terminal may show it. Names, addresses and reasons come from strangers, column names from files: what would move the cursor,
 * colour what follows or turn it around becomes a replacement character.
 */
export const plain = (text: string): string => text.replaceAll("\r\n", "\n").replace(UNSAFE, "\ufffd");
