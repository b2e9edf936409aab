import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { PageRefusal } from "../pageDocument.js";

/** pdf.js waits for nothing outside of this thread: one that has had nothing to do for this long waits in vain. */
const MAX_IDLE_MS = 1_000;
const POLL_MS = 100;

/**
 * The largest buffer, in bytes. Buffers are outside the heap, where the thread's limit does not reach; a stream of a few
 * kilobytes can unpack to gigabytes.
 */
const MAX_BUFFER_BYTES = 32 * 1024 * 1024;

/** Opens a PDF and closes it after `work`. Throws `PageRefusal`. */
export async function withPdf<T>(bytes: Uint8Array, work: (pdf: PDFDocumentProxy) => Promise<T>): Promise<T> {
  addBufferTransfer();
  const pdfjs = await import("unpdf/pdfjs");
  const buffers = boundBuffers();
  const task = pdfjs.getDocument({
    // A copy: pdf.js takes the buffer away from its owner.
    data: new Uint8Array(bytes),
    isEvalSupported: false,
    enableXfa: false,
    // Nothing is loaded from anywhere, and nothing is drawn.
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    maxImageSize: 0,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    verbosity: 0,
  });
  try {
    const result = await unlessIdle(async () => work(await task.promise));
    // pdf.js goes on after an error in a part of the file.
    if (buffers.wereExceeded()) throw new PageRefusal("Unpacking it takes more memory than is allowed.");
    return result;
  } catch (error) {
    throw toRefusal(error);
  } finally {
    buffers.release();
    // Not awaited: what hangs may hang here too.
    task.destroy().catch(() => undefined);
  }
}

/** Busy time is bounded from outside, by the thread's processor time. */
async function unlessIdle<T>(work: () => Promise<T>): Promise<T> {
  const { idle: before } = performance.eventLoopUtilization();
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      if (performance.eventLoopUtilization().idle - before > MAX_IDLE_MS)
        reject(new PageRefusal("Reading it comes to no end."));
    }, POLL_MS);
  });
  try {
    return await Promise.race([work(), hung]);
  } finally {
    clearInterval(timer);
  }
}

function toRefusal(error: unknown): unknown {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") return new PageRefusal("The PDF is encrypted and needs a password.");
  if (name === "InvalidPDFException") return new PageRefusal("It is not a complete PDF.");
  return error;
}

/** ES2024, which Node has from version 22. pdf.js calls it on buffers that it has just filled and uses nowhere else. */
function addBufferTransfer(): void {
  if ("transferToFixedLength" in ArrayBuffer.prototype) return;
  Object.defineProperty(ArrayBuffer.prototype, "transferToFixedLength", {
    configurable: true,
    writable: true,
    value(this: ArrayBuffer, length = this.byteLength) {
      const copy = new Uint8Array(length);
      copy.set(new Uint8Array(this, 0, Math.min(length, this.byteLength)));
      return copy.buffer;
    },
  });
}

/**
 * Bounds every buffer of bytes that this thread makes, until it is released. Node's own decompression is taken away meanwhile: it
 * works in other threads, whose time and memory are not counted, and pdf.js does without.
 */
function boundBuffers(): { wereExceeded(): boolean; release(): void } {
  const { Uint8Array: Original, DecompressionStream } = globalThis;
  let isExceeded = false;
  const Bounded = new Proxy(Original, {
    construct(target, args: [unknown], newTarget) {
      const [length] = args;
      if (typeof length === "number" && length > MAX_BUFFER_BYTES) {
        isExceeded = true;
        throw new RangeError("The buffer is too large.");
      }
      return Reflect.construct(target, args, newTarget);
    },
  });
  Object.assign(globalThis, { Uint8Array: Bounded, DecompressionStream: undefined });
  return {
    wereExceeded: () => isExceeded,
    release: () => void Object.assign(globalThis, { Uint8Array: Original, DecompressionStream }),
  };
}
