import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import WebSocket from "ws";
import { createSocketPool } from "./createSocketPool.js";

/** An answer of the node as it arrives: nothing of it is changed on its way. */
export interface UpstreamAnswer {
  readonly status: number;
  /** Names and values in turn, in the order and letters in which they came. */
  readonly rawHeaders: readonly string[];
  readonly body: Readable;
}

/** The node behind the proxy. */
export interface Upstream {
  /** Whether clients by HTTP share connections, on which nothing may come unasked. */
  readonly isShared: boolean;
  /** Sends a body with the headers of the client. `isAnswered` is false where the body holds notifications only. */
  exchange(body: Uint8Array, rawHeaders: readonly string[], isAnswered: boolean): Promise<UpstreamAnswer>;
  /** One body, and its answer as text. */
  ask(text: string): Promise<string>;
  /** A connection of its own for one client; undefined where the node is reached by HTTP. */
  connect(): WebSocket | undefined;
  close(): void;
}

const TIMEOUT_MS = 120_000;
/** Of answers that are read here, which are those to a part of a batch. */
const MAX_ANSWER_BYTES = 64 << 20;

/** Headers that are about one connection and not about the message (RFC 9110, section 7.6.1), and those that are set anew. */
const ownHeaders = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te"],
  ...["trailer", "transfer-encoding", "upgrade", "host", "content-length", "expect"],
]);

const none: ReadonlySet<string> = new Set();

/** The headers that go on to the other side, without those that are named in lower case. */
export function keepHeaders(rawHeaders: readonly string[], without = none): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    const known = name.toLowerCase();
    if (!ownHeaders.has(known) && !without.has(known)) kept.push(name, value);
  }
  return kept;
}

export function openUpstream(url: string): Upstream {
  return /^ws/i.test(url) ? openSocketUpstream(url) : openHttpUpstream(new URL(url));
}

function openHttpUpstream(url: URL): Upstream {
  const isSecure = url.protocol === "https:";
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const send = isSecure ? requestHttps : requestHttp;
  const exchange = (body: Uint8Array, rawHeaders: readonly string[]) =>
    new Promise<UpstreamAnswer>((done, fail) => {
      const auth = url.username === "" ? [] : ["Authorization", toBasic(url)];
      const headers = [
        ...["Host", url.host, ...keepHeaders(rawHeaders), ...auth],
        ...["Content-Length", `${body.length}`],
      ];
      const request = send(
        url,
        { method: "POST", agent, headers: headers as never },
        (response: IncomingMessage) => {
          done({ status: response.statusCode ?? 502, rawHeaders: response.rawHeaders, body: response });
        },
      );
      request.setTimeout(TIMEOUT_MS, () => request.destroy(new Error("the node did not answer in time")));
      request.on("error", (error) => fail(new Error(`the node cannot be reached (${codeOf(error)})`)));
      request.end(body);
    });
  return {
    isShared: false,
    exchange,
    async ask(text) {
      const headers = ["Content-Type", "application/json", "Accept-Encoding", "identity"];
      const { body, rawHeaders } = await exchange(Buffer.from(text), headers);
      return decode(await readAll(body), findHeader(rawHeaders, "content-encoding"));
    },
    connect: () => undefined,
    close: () => agent.destroy(),
  };
}

function openSocketUpstream(url: string): Upstream {
  const connect = () => new WebSocket(url, { perMessageDeflate: false, maxPayload: MAX_ANSWER_BYTES });
  const pool = createSocketPool(connect, TIMEOUT_MS);
  return {
    isShared: true,
    async exchange(body, _rawHeaders, isAnswered) {
      const text = await pool.ask(Buffer.from(body).toString("utf8"), isAnswered);
      const rawHeaders = ["Content-Type", "application/json"];
      return { status: 200, rawHeaders, body: Readable.from([Buffer.from(text)]) };
    },
    ask: (text) => pool.ask(text, true),
    connect,
    close: () => pool.close(),
  };
}

const toBasic = ({ username, password }: URL) =>
  `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64")}`;

/** Without the address of the node, which may contain an API key. */
const codeOf = (error: Error) => ("code" in error ? String(error.code) : error.message);

async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error("the node's answer is too large to be joined with others");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Some nodes compress although they were asked not to. */
function decode(bytes: Buffer, encoding: string | undefined): string {
  const limit = { maxOutputLength: MAX_ANSWER_BYTES };
  if (encoding === "gzip") return gunzipSync(bytes, limit).toString("utf8");
  if (encoding === "deflate") return inflateSync(bytes, limit).toString("utf8");
  if (encoding === "br") return brotliDecompressSync(bytes, limit).toString("utf8");
  return bytes.toString("utf8");
}

function findHeader(rawHeaders: readonly string[], name: string): string | undefined {
  const at = rawHeaders.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === name);
  return at < 0 ? undefined : rawHeaders[at + 1]?.trim().toLowerCase();
}
