import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { AssayError } from "@assay/protocol";
import type { PageTarget } from "./parsePageTarget.js";
import { type BodyLimits, readBoundedBody } from "./readBoundedBody.js";

/** Of a public page 16 KiB of headers are plenty. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Interim answers (1xx) each begin a new count of header bytes. */
const MAX_INTERIM_ANSWERS = 8;

export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly contentType: string | undefined;
  /** Undefined where `wantsBody` said no. */
  readonly body: Buffer | undefined;
}

export interface ExchangeOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly headersMs: number;
  readonly signal: AbortSignal;
  readonly limits: BodyLimits;
  /** Asked when the headers are there; it may refuse the answer by throwing. */
  readonly wantsBody: (status: number, contentType: string | undefined) => boolean;
}

/** One GET over an open connection, which is used up by it. */
export async function exchange(
  socket: Socket,
  target: PageTarget,
  options: ExchangeOptions,
): Promise<Answer> {
  try {
    const response = await askForHead(socket, target, options);
    const { statusCode: status = 0, headers } = response;
    const wanted = options.wantsBody(status, headers["content-type"]);
    if (
      wanted &&
      options.limits.whenTooLong === "refuse" &&
      Number(headers["content-length"]) > options.limits.maxBytes
    )
      throw new AssayError(
        "web_page_unsupported",
        `The page is larger than ${options.limits.maxBytes} bytes.`,
      );
    const body = wanted
      ? await readBoundedBody(response, headers["content-encoding"], options.limits)
      : undefined;
    // A body without a length ends where its connection does, also where that was broken or ended by us.
    const hasLength = (headers["content-length"] ?? headers["transfer-encoding"]) !== undefined;
    if (socket.errored && !hasLength) throw socket.errored;
    return { status, location: headers.location, contentType: headers["content-type"], body };
  } finally {
    socket.destroy();
  }
}

function askForHead(socket: Socket, target: PageTarget, options: ExchangeOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      // Without an agent nothing is kept, shared or connected anew.
      createConnection: () => socket,
      path: target.pathAndQuery,
      headers: { host: new URL(target.url).host, ...options.headers, connection: "close" },
      maxHeaderSize: MAX_HEADER_BYTES,
      signal: options.signal,
    });
    const timer = setTimeout(
      () => request.destroy(new DOMException("the headers took too long", "TimeoutError")),
      options.headersMs,
    );
    let interimAnswers = 0;
    request.on("information", () => {
      interimAnswers += 1;
      if (interimAnswers > MAX_INTERIM_ANSWERS) request.destroy(new Error("interim answers without end"));
    });
    request.once("response", (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    request.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.end();
  });
}
