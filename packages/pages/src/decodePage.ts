import { AssayError } from "@assay/protocol";
import type { FetchedPage } from "./types.js";

/** Browsers search the first 1,024 bytes for a `meta` element with the encoding, and change it where one comes later. */
const PRESCAN_BYTES = 64 * 1024;
export const PDF_TYPE = "application/pdf";
const READ_TYPES = new Set([
  PDF_TYPE,
  "text/html",
  "application/xhtml+xml",
  "text/plain",
  "text/markdown",
  "text/x-markdown",
  "application/json",
  "text/json",
]);

export interface PageType {
  /** Lowercase, without parameters; undefined where the server sent none. */
  readonly mediaType: string | undefined;
  readonly charset: string | undefined;
}

/** Reads a Content-Type header. Throws `web_page_unsupported` for a type that is not read. */
export function parsePageType(header: string | undefined): PageType {
  const [mediaType = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim());
  if (mediaType === "") return { mediaType: undefined, charset: undefined };
  const type = mediaType.toLowerCase();
  if (!READ_TYPES.has(type) && !/^application\/[\w.-]+\+json$/.test(type))
    throw new AssayError("web_page_unsupported", "The page is neither HTML, text, Markdown, JSON nor PDF.");
  const charset = parameters.map((parameter) => /^charset\s*=\s*"?([^"]*)"?$/i.exec(parameter)?.[1]);
  return { mediaType: type, charset: charset.find((found) => found !== undefined)?.trim() || undefined };
}

/** The media type and encoding of a body: by byte order mark, then by header, then by the page's own declaration. */
export function identifyPage(type: PageType, bytes: Uint8Array): { contentType: string; charset: string } {
  const contentType = type.mediaType ?? sniffType(bytes);
  if (contentType === PDF_TYPE) return { contentType, charset: "binary" };
  return { contentType, charset: findCharset(contentType, type.charset, bytes) };
}

/** The page's text. NUL becomes U+FFFD, as in HTML; PostgreSQL cannot store text with a NUL. */
export function decodePage({ bytes, charset }: Pick<FetchedPage, "bytes" | "charset">): string {
  const text = new TextDecoder(charset).decode(bytes).replaceAll("\0", "\uFFFD");
  return charset === "windows-1252" ? fixWindows1252(text) : text;
}

/** Bytes 0x80 to 0x9f by the Encoding standard; the five without a character stay control characters. */
const WINDOWS_1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Some versions of Node 20 and 22 decode windows-1252 as Latin-1, which turns quotation marks into control characters. */
function fixWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? "");
}

function findCharset(contentType: string, fromHeader: string | undefined, bytes: Uint8Array): string {
  const mark = readByteOrderMark(bytes);
  if (mark) return mark;
  if (fromHeader !== undefined) return getEncoding(fromHeader);
  // RFC 8259, section 8.1: JSON is UTF-8.
  if (contentType.endsWith("json")) return "utf-8";
  const declared = /html/.test(contentType) ? findDeclaration(bytes) : undefined;
  if (declared !== undefined) {
    const encoding = getEncoding(declared);
    // The HTML standard: a declaration that can be read byte by byte is not in UTF-16.
    return encoding.startsWith("utf-16") ? "utf-8" : encoding;
  }
  return isUtf8(bytes) ? "utf-8" : "windows-1252";
}

function readByteOrderMark(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0xff && b === 0xfe ? "utf-16le" : undefined;
}

function findDeclaration(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString("latin1");
  const visible = head.replace(/<!--[\s\S]*?(-->|$)/g, "");
  const xml = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(visible)?.[1];
  if (xml !== undefined) return xml;
  for (const [tag] of visible.matchAll(/<meta\b[^>]{0,1000}>/gi)) {
    const named = /\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(tag)?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
}

function getEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new AssayError("web_page_unsupported", "The page has an unknown character encoding.");
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** A body without a type is read only if it begins as HTML or PDF does (WHATWG MIME Sniffing, section 7.1). */
function sniffType(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 512)).toString("latin1");
  if (
    /^(\xef\xbb\xbf)?[\t\n\f\r ]*<(!doctype html|html|head|body|title|article|h1|p|div|table)[\s>]/i.test(
      head,
    )
  )
    return "text/html";
  if (head.startsWith("%PDF-")) return PDF_TYPE;
  throw new AssayError(
    "web_page_unsupported",
    "The page has no Content-Type and begins neither as HTML nor as PDF does.",
  );
}
