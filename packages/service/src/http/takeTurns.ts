import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Connection, Peers } from "./peers.js";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests of one connection that are served before the answers to earlier ones are read. */
export const MAX_UNANSWERED = 16;
/** Requests of one connection that arrived in one packet with those, and wait; a caller that sends more is cut off. */
export const MAX_WAITING = 512;
/** Of all connections of one address: requests that wait. */
export const MAX_WAITING_OF_PEER = 1_024;
/** Of all connections: requests under way beside another one of their connection. Beyond them each connection has one. */
export const MAX_BESIDE_IN_ALL = 256;
/** Of all connections: requests that wait. A connection that wants more is cut off. */
export const MAX_WAITING_IN_ALL = 4_096;
/** Waiting requests that are served before other connections have their turn again. */
const SERVED_AT_ONCE = 2;

interface Turn {
  readonly socket: Socket;
  /** Undefined where the other end is a trusted proxy. */
  readonly connection: Connection | undefined;
  unanswered: number;
  /** Whether it stands in the line of connections with something to serve. */
  isInLine: boolean;
  readonly waiting: Exchange[];
}

type Exchange = readonly [IncomingMessage, ServerResponse];

/**
 * A caller may send requests without reading answers (pipelining, RFC 9112, section 9.3.2), and each answer is held in memory
 * until it is read. So a connection has at most `MAX_UNANSWERED` under way; nothing more is read from it until an answer has left.
 * All connections together have a limit too. A request that is alone on its connection is
 * served at once; those beside it wait in line, one connection after another, so that nobody has to wait for all of them.
 */
export function takeTurns(handle: Handle, peers: Pick<Peers, "find" | "cutOff">): Handle {
  const turns = new WeakMap<Socket, Turn>();
  const line: Turn[] = [];
  let isServing = false;
  let besideInAll = 0;
  let waitingInAll = 0;

  const countWaiting = ({ connection }: Turn, change: number) => {
    waitingInAll += change;
    if (connection) connection.peer.waiting += change;
  };

  const startTurn = (socket: Socket): Turn => {
    const connection = peers.find(socket);
    const turn: Turn = { socket, connection, unanswered: 0, isInLine: false, waiting: [] };
    turns.set(socket, turn);
    // Nobody is left to answer: serving the requests that wait would keep the service busy after their caller has gone.
    socket.once("close", () => {
      countWaiting(turn, -turn.waiting.length);
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
      const next = turn.waiting.shift();
      if (!next) continue;
      countWaiting(turn, -1);
      serve(turn, ...next);
      standInLine(turn);
    }
    isServing = line.length > 0;
    if (isServing) setImmediate(serveLine);
  }

  function serve(turn: Turn, request: IncomingMessage, response: ServerResponse): void {
    turn.unanswered += 1;
    const isBeside = turn.unanswered > 1;
    if (isBeside) besideInAll += 1;
    response.on("close", () => {
      turn.unanswered -= 1;
      if (isBeside) besideInAll -= 1;
      const { socket, connection } = turn;
      if (socket.destroyed) return;
      if (connection) connection.wasAnswered = true;
      if (turn.waiting.length > 0) standInLine(turn);
      else if (socket.isPaused()) socket.resume();
    });
    handle(request, response);
  }

  const isOverfull = ({ waiting, connection }: Turn) =>
    waiting.length >= MAX_WAITING ||
    (connection?.peer.waiting ?? 0) >= MAX_WAITING_OF_PEER ||
    waitingInAll >= MAX_WAITING_IN_ALL;

  return (request, response) => {
    const { socket } = request;
    // The rest of a packet whose connection was cut off.
    if (socket.destroyed) return;
    const turn = turns.get(socket) ?? startTurn(socket);
    if (turn.unanswered === 0 && turn.waiting.length === 0) return serve(turn, request, response);
    if (isOverfull(turn)) return peers.cutOff(socket);
    turn.waiting.push([request, response]);
    countWaiting(turn, 1);
    socket.pause();
    standInLine(turn);
  };
}
