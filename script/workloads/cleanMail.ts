const MAX_TEXT = 4000;

/** A mail as the model sees it. */
export interface CleanMail {
  readonly subject: string;
  readonly body: string;
}

/**
 * Strips a raw mail down to its words: headers but the subject go (they name the sender's servers, which would give the answer away),
 * text parts are decoded, markup, links, addresses and numbers become single marks.
 */
export function cleanMail(raw: string): CleanMail {
  const mail = raw.replaceAll("\r", "");
  const end = mail.indexOf("\n\n");
  const headers = (end < 0 ? mail : mail.slice(0, end)).replace(/\n[ \t]+/g, " ");
  const subject = (/^Subject:(.*)$/im.exec(headers)?.[1] ?? "").replace(/\[[^\]]{1,20}\]/g, " ");
  const body = readBody(headers, end < 0 ? "" : mail.slice(end + 2));
  return {
    subject: normalise(subject).replace(/\s+/g, " ").trim(),
    body: normalise(stripMarkup(body)).slice(0, MAX_TEXT),
  };
}

function readBody(headers: string, body: string): string {
  const boundary = /boundary="?([^";\n]+)"?/i.exec(headers)?.[1];
  if (boundary === undefined) return decodePart(body, headers);
  let text = "";
  for (const part of body.split(`--${boundary}`).slice(1)) {
    const start = part.indexOf("\n\n");
    const partHeaders = part.slice(0, Math.max(0, start));
    const isText = /text\/(plain|html)|multipart/i.test(partHeaders) || !/content-type/i.test(partHeaders);
    if (start < 0 || !isText) continue;
    text += ` ${decodePart(part.slice(start + 2), partHeaders)}`;
    if (text.length > MAX_TEXT) break;
  }
  return text.trim() === "" ? body : text;
}

function decodePart(text: string, headers: string): string {
  const encoding = /^Content-Transfer-Encoding:\s*(\S+)/im.exec(headers)?.[1]?.toLowerCase();
  if (encoding === "base64") return Buffer.from(text.replace(/[^A-Za-z0-9+/=]/g, ""), "base64").toString("latin1");
  if (encoding !== "quoted-printable") return text;
  return text
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const stripMarkup = (text: string): string =>
  text
    .replace(/<style[\s\S]*?<\/style>/gi, " ")
    .replace(/<!--[\s\S]*?-->/g, " ")
    .replace(/<[^>]{0,2000}>/g, " ")
    .replace(/&[a-z#0-9]+;/gi, " ");

const normalise = (text: string): string =>
  text
    .toLowerCase()
    .replace(/https?:\/\/\S+/g, " qqurl ")
    .replace(/\S+@\S+/g, " qqemail ")
    .replace(/[a-z0-9+/]{45,}/g, " ")
    .replace(/\d+/g, "0")
    .replace(/[^\x20-\x7e\n]/g, " ");
