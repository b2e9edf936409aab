import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { AssayError } from "@assay/protocol";
import type { PageTarget } from "./parsePageTarget.js";
import { type BodyLimits, readBoundedBody } from "./readBoundedBody.js";

/** Ample for the headers of a public page. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Of interim responses (1xx), each of which starts a new count of header bytes. */
const MAX_INTERIM_RESPONSES = 8;

export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly contentType: string | undefined;
  /** Undefined where `wantsBody` returned false. */
  readonly body: Buffer | undefined;
}

export interface ExchangeOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly headersMs: number;
  readonly signal: AbortSignal;
  readonly limits: BodyLimits;
  /** Called when the headers have arrived; it may refuse the response by throwing. */
  readonly wantsBody: (status: number, contentType: string | undefined) => boolean;
}

/** Sends one GET over an open connection and closes the connection. */
export async function exchange(
  socket: Socket,
  target: PageTarget,
  options: ExchangeOptions,
): Promise<Answer> {
  try {
    const response = await requestHead(socket, target, options);
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
    // A body without a length ends with its connection, even if that broke or was closed on this side.
    const hasLength = (headers["content-length"] ?? headers["transfer-encoding"]) !== undefined;
    if (socket.errored && !hasLength) throw socket.errored;
    return { status, location: headers.location, contentType: headers["content-type"], body };
  } finally {
    socket.destroy();
  }
}

function requestHead(socket: Socket, target: PageTarget, options: ExchangeOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      // Without an agent no connection is kept, shared or opened again.
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
    let interimResponses = 0;
    request.on("information", () => {
      interimResponses += 1;
      if (interimResponses > MAX_INTERIM_RESPONSES) request.destroy(new Error("too many interim responses"));
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
