/** "0x1d47…c27a": enough to compare by eye; the whole stands in the title and is what gets copied. */
export function shortHash(hex: string): string {
  return hex.length <= 13 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export const isAddress = (text: string): text is `0x${string}` => ADDRESS.test(text);
