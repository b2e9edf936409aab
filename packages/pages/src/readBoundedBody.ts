import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { AssayError } from "@assay/protocol";

export interface BodyLimits {
  /** On the wire and decompressed alike. */
  readonly maxBytes: number;
  /** Decompressed bytes for each byte on the wire. */
  readonly maxRatio: number;
  /** What happens to a body that goes on: it is refused, or its beginning is enough. */
  readonly whenTooLong: "refuse" | "cut";
}

/** A page of few distinct bytes may shrink more than any honest one; below this it does no harm. */
const RATIO_FROM_BYTES = 64 * 1024;

/**
 * The body with its content coding undone by us, so that not a byte more is unpacked than is wanted: a library
 * that unpacks first and counts later holds the whole bomb.
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
      // A coding may also go on for ever without giving anything out.
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
          `The page unpacks to over ${limits.maxRatio} times its size.`,
        );
      if (bytes > limits.maxBytes && limits.whenTooLong === "refuse") throw tooLarge(limits);
      chunks.push(chunk);
      isCut = bytes > limits.maxBytes;
      if (isCut) return;
    }
  }

  const undo = chooseDecoder(contentEncoding);
  try {
    if (undo) await pipeline(body, meter, undo, keep);
    else await pipeline(body, meter, keep);
  } catch (error) {
    // Leaving a pipeline before its end is an error to it.
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
  if (codings.length > 1) throw new AssayError("web_page_unsupported", "The page is packed more than once.");
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
      throw new AssayError("web_page_unsupported", "The page is packed in a way nobody asked for.");
  }
}

/** RFC 9110 means zlib's format; some servers send the bare stream inside it. The first byte tells. */
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
