import { deflateSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { createPageParser } from "../createPageParser.js";
import { type PdfParts, pdfLines, writePdf } from "../testing/writePdf.js";
import type { FetchedPage } from "../types.js";
import { parsePdfPage } from "./parsePdfPage.js";

const parser = createPageParser({ cpuMs: 3_000, waitMs: 30_000, heapMb: 256 });
afterAll(() => parser.close());

const fetched = (parts: PdfParts): FetchedPage => ({
  requestedUrl: "https://a.org/a.pdf",
  finalUrl: "https://a.org/a.pdf",
  redirects: [],
  status: 200,
  contentType: "application/pdf",
  charset: "binary",
  bytes: writePdf(parts),
  bytesSha256: `0x${"00".repeat(32)}`,
  fetchedAtMs: 0,
  remoteAddress: "127.0.0.1",
});
const parseInThread = (parts: PdfParts) => parser.parse(fetched(parts));
/** In this process: a file that is read as any other needs no thread that ends with it. */
const parse = (parts: PdfParts) => parsePdfPage(writePdf(parts), () => 0);
const SEEN = pdfLines("The harbour is closed in winter.");
const TEXT = "The harbour is closed in winter.";

const mebibytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 32);
/** A page whose font program is this stream. */
const withFont = (dictionary: string, bytes: Uint8Array): PdfParts => ({
  pages: [SEEN],
  objects: {
    3: "<< /Type /Font /Subtype /TrueType /BaseFont /Helvetica /Encoding /WinAnsiEncoding /FontDescriptor 100 0 R >>",
    100: "<< /Type /FontDescriptor /FontName /Helvetica /Flags 32 /FontFile2 101 0 R >>",
    101: { dictionary, bytes },
  },
});

test("a stream that unpacks to much more is refused, and the next file is read", async () => {
  // RunLengthDecode: 129 and a byte stand for 128 of it, so that 8 KB become 512 MB.
  const bomb = deflateSync(Buffer.alloc(8_000_000, "\x81 ", "latin1"));
  const before = process.memoryUsage.rss();
  await expect(
    parseInThread(withFont("/Filter [/FlateDecode /RunLengthDecode]", bomb)),
  ).rejects.toMatchObject({
    code: "web_page_unsupported",
    message: "The page cannot be read. Unpacking it takes more memory than is allowed.",
  });
  expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 1024 * 1024);
  expect((await parseInThread({ pages: [SEEN] })).text).toBe(TEXT);
});

test.each<[string, PdfParts]>([
  [
    "a tree of pages that holds itself",
    { pages: [SEEN], objects: { 2: "<< /Type /Pages /Kids [10 0 R 2 0 R] /Count 2000000000 >>" } },
  ],
  [
    "a form that draws itself",
    {
      pages: [`${SEEN} /X1 Do`],
      resources: "/XObject << /X1 100 0 R >>",
      objects: {
        100: {
          dictionary:
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X1 100 0 R >> >>",
          bytes: Buffer.from("/X1 Do"),
        },
      },
    },
  ],
  [
    "a picture of a billion pixels",
    {
      pages: [`${SEEN} q 10 0 0 10 0 0 cm /I1 Do Q`],
      resources: "/XObject << /I1 100 0 R >>",
      objects: {
        100: {
          dictionary:
            "/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode",
          bytes: deflateSync(mebibytes(2)),
        },
      },
    },
  ],
  ["states that are saved and never restored", { pages: [`${"q ".repeat(2_000)}${SEEN}`] }],
  ["a font program of nothing", withFont("/Filter /FlateDecode", deflateSync(mebibytes(2)))],
])("a strange PDF is read as far as it shows something: %s", async (_way, parts) => {
  expect((await parse(parts)).text).toBe(TEXT);
});

test("what a PDF asks a program to do is not done", async () => {
  const { text, hidden } = await parse({
    pages: [SEEN],
    catalog:
      "/OpenAction << /S /JavaScript /JS (globalThis.stolen = 1; while \\(true\\) {}) >> /AA << /WC << /S /URI /URI (http://127.0.0.1:9/) >> >> /AcroForm << /XFA [(a) 100 0 R] /Fields [] >>",
    objects: { 100: { dictionary: "", bytes: Buffer.from("<xdp/>") } },
  });
  expect({ text, hidden }).toEqual({ text: TEXT, hidden: [] });
});

test("forms that draw each other again and again end with the time that a page has", async () => {
  const hurried = createPageParser({ cpuMs: 400, waitMs: 30_000, heapMb: 256 });
  const parts = {
    pages: ["/X100 Do"],
    resources: "/XObject << /X100 100 0 R >>",
    objects: Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        100 + n,
        {
          dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /N ${101 + n} 0 R >> >>`,
          bytes: Buffer.from("/N Do /N Do"),
        },
      ]),
    ),
  };
  await expect(hurried.parse(fetched(parts))).rejects.toMatchObject({
    code: "web_page_unsupported",
    message: expect.stringContaining("It takes too long to parse."),
  });
  await hurried.close();
});
