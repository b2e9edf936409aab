import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests of one connection that are served before the answers to earlier ones are read. */
export const MAX_UNANSWERED = 16;
/** Requests of one connection that arrived in one packet with those, and wait; a caller that sends more is cut off. */
export const MAX_WAITING = 512;
/** Of all connections: requests under way beside another one of their connection. Beyond them each connection has one. */
export const MAX_BESIDE_IN_ALL = 256;
/** Of all connections: requests that wait. A connection that wants more is cut off. */
export const MAX_WAITING_IN_ALL = 4_096;
/** Waiting requests that are served before other connections are looked at again. */
const SERVED_AT_ONCE = 2;

interface Turn {
  readonly socket: Socket;
  unanswered: number;
  /** Whether it stands in the line of connections with something to serve. */
  isInLine: boolean;
  readonly waiting: (() => void)[];
}

/**
 * A caller may send requests without reading answers (pipelining, RFC 9112, section 9.3.2), and each answer is held in memory
 * until it is read. So a connection has at most so many under way: then nothing more is read from it until an answer left.
 * What all of them together may have is bounded too, because connections are many. A request that is alone on its connection is
 * served at once; those beside it wait in line, one connection after another, so that nobody has to wait for all of them.
 */
export function takeTurns(handle: Handle): Handle {
  const connections = new WeakMap<Socket, Turn>();
  const line: Turn[] = [];
  let isServing = false;
  let besideInAll = 0;
  let waitingInAll = 0;

  const startTurn = (socket: Socket): Turn => {
    const turn: Turn = { socket, unanswered: 0, isInLine: false, waiting: [] };
    connections.set(socket, turn);
    // Nobody is left to be answered. Served all the same, what waits would keep the service busy long after the caller.
    socket.once("close", () => {
      waitingInAll -= turn.waiting.length;
      turn.waiting.length = 0;
    });
    return turn;
  };

  const standInLine = (turn: Turn) => {
    if (turn.isInLine || turn.waiting.length === 0) return;
    turn.isInLine = true;
    line.push(turn);
    if (isServing) return;
    isServing = true;
    setImmediate(serveLine);
  };

  function serveLine(): void {
    for (const turn of line.splice(0, SERVED_AT_ONCE)) {
      turn.isInLine = false;
      const isFree = turn.unanswered < MAX_UNANSWERED && besideInAll < MAX_BESIDE_IN_ALL;
      if (turn.unanswered > 0 && !isFree) continue;
      const serve = turn.waiting.shift();
      if (!serve) continue;
      waitingInAll -= 1;
      serve();
      standInLine(turn);
    }
    isServing = line.length > 0;
    if (isServing) setImmediate(serveLine);
  }

  return (request, response) => {
    const { socket } = request;
    const turn = connections.get(socket) ?? startTurn(socket);
    const serve = () => {
      turn.unanswered += 1;
      const isBeside = turn.unanswered > 1;
      if (isBeside) besideInAll += 1;
      response.once("close", () => {
        turn.unanswered -= 1;
        if (isBeside) besideInAll -= 1;
        if (socket.destroyed) return;
        standInLine(turn);
        if (turn.waiting.length === 0 && socket.isPaused()) socket.resume();
      });
      handle(request, response);
    };
    if (turn.unanswered === 0 && turn.waiting.length === 0) return serve();
    if (turn.waiting.length >= MAX_WAITING || waitingInAll >= MAX_WAITING_IN_ALL)
      return void socket.destroy();
    turn.waiting.push(serve);
    waitingInAll += 1;
    socket.pause();
    standInLine(turn);
  };
}
