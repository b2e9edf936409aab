import { Readable } from "node:stream";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readBoundedBody } from "./readBoundedBody.js";
import { toPageError } from "./toPageError.js";

const limits = { maxBytes: 1024 * 1024, maxRatio: 100, whenTooLong: "refuse" } as const;
const forever = new AbortController().signal;
const text = Buffer.from(Array.from({ length: 5_000 }, (_, i) => `line ${i * 7919}\n`).join(""));

/** A body in pieces, as a network delivers it; counts the bytes that are read. */
function createBody(bytes: Buffer, pieceBytes = 1_000) {
  const body = { taken: 0, stream: Readable.from(pieces(), { objectMode: false }) };
  function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      body.taken += pieceBytes;
      yield bytes.subarray(at, at + pieceBytes);
    }
  }
  return body;
}
const read = (
  encoding: string | undefined,
  bytes: Buffer,
  given: Parameters<typeof readBoundedBody>[2] = limits,
) =>
  readBoundedBody(createBody(bytes).stream, encoding, given).catch((error) => {
    const { code, message } = toPageError(error, forever);
    return `${code}: ${message}`;
  });

test.each<[string | undefined, Buffer]>([
  [undefined, text],
  ["identity", text],
  ["gzip", gzipSync(text)],
  ["X-GZIP", gzipSync(text)],
  ["gzip", Buffer.concat([gzipSync(text.subarray(0, 99)), gzipSync(text.subarray(99))])],
  ["br", brotliCompressSync(text)],
  ["deflate", deflateSync(text)],
  ["deflate", deflateRawSync(text)],
])("%s is decoded", async (encoding, bytes) => {
  expect(text.equals((await read(encoding, bytes)) as Buffer)).toBe(true);
});

const zeros = Buffer.alloc(4 * 1024 * 1024);
test.each<[string, Buffer]>([
  ["gzip", gzipSync(zeros)],
  ["br", brotliCompressSync(zeros)],
  ["deflate", deflateSync(zeros)],
  ["deflate", deflateRawSync(zeros)],
])("a %s bomb is refused after a few steps", async (encoding, bomb) => {
  expect(await read(encoding, bomb, { ...limits, maxBytes: 3 * 1024 * 1024 })).toBe(
    "web_page_unsupported: The page decompresses to more than 100 times its size.",
  );
});

test("a body that is too large is refused at the limit, compressed or not", async () => {
  const noise = Buffer.alloc(3 * 1024 * 1024);
  for (let i = 0; i < noise.length; i += 1) noise[i] = (i * i * 31) >> 7;
  for (const encoding of [undefined, "gzip"]) {
    const body = createBody(encoding ? gzipSync(noise) : noise);
    await expect(readBoundedBody(body.stream, encoding, limits)).rejects.toMatchObject({
      code: "web_page_unsupported",
      message: "The page is larger than 1048576 bytes.",
    });
    expect(body.taken).toBeLessThan(1.3 * 1024 * 1024);
    expect(body.stream.destroyed).toBe(true);
  }
});

test("a compressed body that continues without output is refused", async () => {
  // Stored blocks of no bytes: RFC 1951, section 3.2.4.
  const nothing = Buffer.concat([
    deflateRawSync("a", { finishFlush: 2 }),
    Buffer.alloc(2_000_000, "000000ffff", "hex"),
  ]);
  expect(await read("deflate", nothing)).toBe("web_page_unsupported: The page is larger than 1048576 bytes.");
});

test("the beginning of a long body is returned where that was requested", async () => {
  const cut = { ...limits, maxBytes: 1_000, whenTooLong: "cut" } as const;
  for (const [encoding, bytes] of [[undefined, text] as const, ["gzip", gzipSync(text)] as const])
    expect(((await read(encoding, bytes, cut)) as Buffer).equals(text.subarray(0, 1_000))).toBe(true);
});

test.each<[string, Buffer]>([
  ["gzip", gzipSync(text).subarray(0, 500)],
  ["gzip", Buffer.from("not compressed")],
  ["br", brotliCompressSync(text).subarray(0, 500)],
  ["br", Buffer.from("not compressed")],
  ["deflate", deflateSync(text).subarray(0, 500)],
  ["deflate", Buffer.from("not compressed")],
])("broken %s is refused", async (encoding, bytes) => {
  expect(await read(encoding, bytes)).toBe("web_page_unsupported: The page's compressed body is broken.");
});

test.each(["gzip, gzip", "br, gzip", "zstd", "compress", "aes128gcm"])(
  "%s is not decoded",
  async (encoding) => {
    expect(await read(encoding, gzipSync(gzipSync(text)))).toMatch(
      /^web_page_unsupported: The page has .* content coding/,
    );
  },
);
