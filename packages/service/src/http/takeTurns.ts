import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests of one connection that are served before the answers to earlier ones are read. */
export const MAX_UNANSWERED = 16;
/** Requests that arrived in one packet with those, and wait; a caller that sends more is cut off. */
export const MAX_WAITING = 512;

/**
 * A caller may send requests without reading answers (pipelining, RFC 9112, section 9.3.2), and each answer is held in memory
 * until it is read. So a connection has at most so many under way: then nothing more is read from it until an answer left.
 */
export function takeTurns(handle: Handle): Handle {
  const connections = new WeakMap<Socket, { unanswered: number; readonly waiting: (() => void)[] }>();

  return (request, response) => {
    const { socket } = request;
    const turn = connections.get(socket) ?? { unanswered: 0, waiting: [] };
    connections.set(socket, turn);
    const serve = () => {
      turn.unanswered += 1;
      response.once("close", () => {
        turn.unanswered -= 1;
        const next = turn.waiting.shift();
        if (next) next();
        else if (socket.isPaused()) socket.resume();
      });
      handle(request, response);
    };
    if (turn.unanswered < MAX_UNANSWERED) return serve();
    if (turn.waiting.length >= MAX_WAITING) return void socket.destroy();
    turn.waiting.push(serve);
    socket.pause();
  };
}
