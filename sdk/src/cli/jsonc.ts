/** JSON with `//` and block comments and trailing commas, as people write by hand. Throws SyntaxError. */
export function parseJsonc(text: string): unknown {
  // Strings are matched first, so that what looks like a comment inside one stays.
  const plain = text.replace(
    /("(?:\\.|[^"\\\n])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (match, string: string | undefined) => (string === undefined ? match.replace(/[^\n]/g, " ") : string),
  );
  const strict = plain.replace(
    /("(?:\\.|[^"\\\n])*")|,(?=\s*[}\]])/g,
    (_match, string: string | undefined) => string ?? " ",
  );
  return JSON.parse(strict);
}
