import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { AssayError } from "@assay/protocol";

export interface BodyLimits {
  /** Of the compressed body, and of the decompressed one. */
  readonly maxBytes: number;
  /** Decompressed bytes for each byte on the wire. */
  readonly maxRatio: number;
  /** What happens to a longer body: it is refused, or its beginning is used. */
  readonly whenTooLong: "refuse" | "cut";
}

/** The ratio is checked from this size on: small repetitive pages compress extremely well and do no harm. */
const RATIO_FROM_BYTES = 64 * 1024;

/**
 * Reads a body and decompresses it here, chunk by chunk, so that no more is decompressed than the limits allow. A library that
 * decompresses first and counts afterwards would hold a whole decompression bomb.
 */
export async function readBoundedBody(
  body: Readable,
  contentEncoding: string | undefined,
  limits: BodyLimits,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let wireBytes = 0;
  let bytes = 0;
  let isCut = false;

  async function* meter(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const chunk of source) {
      wireBytes += chunk.length;
      // A compressed stream may also continue without end and produce no output.
      if (wireBytes > limits.maxBytes && limits.whenTooLong === "refuse") throw tooLarge(limits);
      yield chunk;
    }
  }
  async function keep(source: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > RATIO_FROM_BYTES && bytes > wireBytes * limits.maxRatio)
        throw new AssayError(
          "web_page_unsupported",
          `The page decompresses to more than ${limits.maxRatio} times its size.`,
        );
      if (bytes > limits.maxBytes && limits.whenTooLong === "refuse") throw tooLarge(limits);
      chunks.push(chunk);
      isCut = bytes > limits.maxBytes;
      if (isCut) return;
    }
  }

  const decoder = chooseDecoder(contentEncoding);
  try {
    if (decoder) await pipeline(body, meter, decoder, keep);
    else await pipeline(body, meter, keep);
  } catch (error) {
    // A pipeline that is left before its end throws.
    if (!isCut) throw error;
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks).subarray(0, limits.maxBytes);
}

const tooLarge = ({ maxBytes }: BodyLimits) =>
  new AssayError("web_page_unsupported", `The page is larger than ${maxBytes} bytes.`);

type Decoder = Transform | ((source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>);

function chooseDecoder(contentEncoding = ""): Decoder | undefined {
  const codings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > 1)
    throw new AssayError("web_page_unsupported", "The page has more than one content coding.");
  switch (codings[0]) {
    case undefined:
      return undefined;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      return inflateEither;
    default:
      throw new AssayError("web_page_unsupported", "The page has a content coding that was not requested.");
  }
}

/** RFC 9110 means the zlib format, but some servers send a bare deflate stream. The first byte distinguishes them. */
async function* inflateEither(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const reader = source[Symbol.asyncIterator]();
  const first = await reader.next();
  if (first.done) return;
  const decoder = ((first.value[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
  async function* whole() {
    yield first.value;
    for (let next = await reader.next(); !next.done; next = await reader.next()) yield next.value;
  }
  const done = pipeline(whole, decoder).catch((error: Error) => decoder.destroy(error));
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } finally {
    decoder.destroy();
    await done;
  }
}
