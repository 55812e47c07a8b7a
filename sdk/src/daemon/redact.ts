const urlPattern = /\b((?:https?|wss?):\/\/)([^\s"'<>]+)/g;

/**
 * An address with what may be a credential taken out: user info, every query value, and path segments long enough to be
 * a provider's API key.
 *
 * @example
 * redactUrl("https://base.example/v2/abcdefghijklmnopqrstuvwx"); // https://base.example/v2/***
 */
export function redactUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return text;
  }
  const path = url.pathname.replace(/[^/]{16,}/g, "***");
  const query = url.search === "" ? "" : "?***";
  const user = url.username === "" && url.password === "" ? "" : "***@";
  const end = path === "/" && query === "" && !text.endsWith("/") ? "" : path;
  return `${url.protocol}//${user}${url.host}${end}${query}`;
}

/** The same for every address inside a longer text, e.g. an HTTP library's error message. */
export function redactUrlsIn(text: string): string {
  return text.replace(urlPattern, (match) => {
    const trailing = /[.,;:)\]]+$/.exec(match)?.[0] ?? "";
    return redactUrl(match.slice(0, match.length - trailing.length)) + trailing;
  });
}
