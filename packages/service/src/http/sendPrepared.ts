import type { ServerResponse } from "node:http";

/** How long a connection without a request is kept; every answer states it. */
export const KEEP_ALIVE_MS = 65_000;
const KEPT_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1_000}\r\n`;
/** Ends the last header, and the head. */
export const HEAD_END = "\r\n\r\n";

/** What Node keeps of a response's head, and whether it has sent it. */
interface ResponseHead {
  _header: string | null;
  _headerSent: boolean;
}

let dateSecond = 0;
let dateLine = "";

/** Node's own line, which also changes once a second. */
function readDateLine(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateLine = `Date: ${new Date().toUTCString()}\r\n`;
  }
  return dateLine;
}

/** Whether the connection goes on after this answer, as nearly always. Where it does not, Node must write the head itself. */
export const isKeptAlive = (response: ServerResponse): boolean =>
  response.shouldKeepAlive && !response.hasHeader("connection");

/** What is written before it is sent; a new one while the system has not taken all of it. */
let scratch = Buffer.allocUnsafe(65_536);

/**
 * Sends an answer whose head is made of parts that are known to be valid: a status line, and headers with Content-Length, each
 * with its line end, then the last header's name. `rest` is its value, `HEAD_END` and the body; `finish` completes the copy of it
 * that is sent. `writeHead` looks at each character of a head, which for a challenge of four kilobytes takes a fifth of the whole
 * answer's time. Only for a response that `isKeptAlive`, to a request that has an answer with a body.
 */
export function sendPrepared(
  response: ServerResponse,
  status: number,
  head: string,
  lastName: string,
  rest: Buffer,
  finish: (target: Buffer, start: number) => void,
): void {
  const first = head + readDateLine() + KEPT_ALIVE + lastName;
  const length = first.length + rest.length;
  if (scratch.length < length) scratch = Buffer.allocUnsafe(2 * length);
  scratch.write(first, "latin1");
  rest.copy(scratch, first.length);
  finish(scratch, first.length);
  response.statusCode = status;
  const parts = response as unknown as ResponseHead;
  const { socket } = response;
  // A response behind another one of its connection has no socket yet, and Node keeps what it says.
  if (!socket || socket.writableLength > 0) {
    const bodyAt = scratch.indexOf(HEAD_END, first.length) + HEAD_END.length;
    parts._header = scratch.toString("latin1", 0, bodyAt);
    response.end(Buffer.from(scratch.subarray(bodyAt, length)));
    return;
  }
  // As one piece: Node would write an empty second piece, which makes it a slower write, a tenth of the whole answer's time.
  parts._header = first;
  parts._headerSent = true;
  socket.write(scratch.subarray(0, length));
  if (socket.writableLength > 0) scratch = Buffer.allocUnsafe(scratch.length);
  response.end();
}
