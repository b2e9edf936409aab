import { AssayError } from "@assay/protocol";
import { expect, test } from "vitest";
import { decodePage, identifyPage, parsePageType } from "./decodePage.js";

const bytesOf = (text: string) => Buffer.from(text, "latin1");
function read(header: string | undefined, bytes: Uint8Array): string {
  try {
    const { contentType, charset } = identifyPage(parsePageType(header), bytes);
    return `${contentType} ${charset} ${decodePage({ bytes, charset })}`;
  } catch (error) {
    return error instanceof AssayError ? error.code : String(error);
  }
}

test.each<[string | undefined, Uint8Array, string]>([
  ["text/html; charset=utf-8", Buffer.from("é"), "text/html utf-8 é"],
  ['Text/HTML;a=b; Charset = "UTF-8"', Buffer.from("é"), "text/html utf-8 é"],
  [
    "text/html; charset=iso-8859-1",
    bytesOf("\x93caf\xe9\x94 \x97 \x80"),
    "text/html windows-1252 “café” — €",
  ],
  ["text/html; charset=shift_jis", bytesOf("\x93\xfa\x96{"), "text/html shift_jis 日本"],
  ["text/html; charset=gb2312", bytesOf("\xc4\xe3\xba\xc3"), "text/html gbk 你好"],
  ["text/plain; charset=koi8-r", bytesOf("\xcd\xc9\xd2"), "text/plain koi8-r мир"],
  ["text/html; charset=koi8-r", Buffer.from("\uFEFFé"), "text/html utf-8 é"],
  ["text/plain", Buffer.from("\uFEFFhi", "utf16le"), "text/plain utf-16le hi"],
  ["text/plain", Buffer.from("\uFEFFhi", "utf16le").swap16(), "text/plain utf-16be hi"],
  ["text/plain", bytesOf("caf\xe9"), "text/plain windows-1252 café"],
  ["text/markdown", Buffer.from("# é"), "text/markdown utf-8 # é"],
  ["application/json", Buffer.from('"é"'), 'application/json utf-8 "é"'],
  ["application/ld+json", Buffer.from("{}"), "application/ld+json utf-8 {}"],
  [undefined, Buffer.from("\n <!DOCTYPE html><p>é"), "text/html utf-8 \n <!DOCTYPE html><p>é"],
  ["text/plain", Buffer.from("a\0b"), "text/plain utf-8 a\uFFFDb"],
])("%s is read", (header, bytes, text) => {
  expect(read(header, bytes)).toBe(text);
});

test.each([
  ['<meta charset="koi8-r">', "koi8-r"],
  ["<META CHARSET=koi8-r/>", "koi8-r"],
  ['<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', "windows-1251"],
  ['<!-- <meta charset="koi8-r"> --><meta charset="big5">', "big5"],
  ['<meta charset="utf-16">', "utf-8"],
  [`<title>${"a".repeat(1024)}</title><meta charset="koi8-r">`, "koi8-r"],
  ["<p>no word about it</p>", "utf-8"],
])("the page's own declaration counts where the header has none: %s", (html, charset) => {
  expect(identifyPage(parsePageType("text/html"), bytesOf(html)).charset).toBe(charset);
});

test("XHTML may declare its encoding as XML does", () => {
  const xhtml = bytesOf('<?xml version="1.0" encoding="iso-8859-2"?><html/>');
  expect(identifyPage(parsePageType("application/xhtml+xml"), xhtml).charset).toBe("iso-8859-2");
});

test.each([
  ["application/pdf; charset=klingon", "%PDF-1.7"],
  [undefined, "%PDF-1.7"],
])("%s %s is a PDF, whose bytes are no text", (header, body) => {
  expect(identifyPage(parsePageType(header), bytesOf(body))).toEqual({
    contentType: "application/pdf",
    charset: "binary",
  });
});

test.each([
  ["text/html; charset=utf-7", "<p>"],
  ["text/html; charset=klingon", "<p>"],
  ["text/html; charset=iso-2022-kr", "<p>"],
  ["text/html", '<meta charset="utf-7">'],
  ["image/png", "<html>"],
  ["application/msword", "%PDF"],
  ["application/octet-stream", "<html>"],
  ["text/css", "a{}"],
  ["application/xml", "<a/>"],
  ["video/mp4", ""],
  ["nonsense", "<html>"],
  [undefined, "just text"],
  [undefined, "<svg>"],
  [undefined, ""],
])("%s %s is refused as unsupported", (header, body) => {
  expect(read(header, bytesOf(body))).toBe("web_page_unsupported");
});
