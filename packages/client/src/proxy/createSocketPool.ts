import type WebSocket from "ws";

export interface SocketPool {
  /** Resolves with the answer, or with nothing where none is expected. */
  ask(text: string, isAnswered: boolean): Promise<string>;
  close(): void;
}

const MAX_SOCKETS = 32;

/**
 * Asks a node that is reached by WebSocket for clients that speak HTTP. A connection carries one body at a time, so that its next
 * message is the answer, and ids stay as they are.
 */
export function createSocketPool(connect: () => WebSocket, timeoutMs: number): SocketPool {
  const idle: WebSocket[] = [];
  const waiting: ((socket: WebSocket | undefined) => void)[] = [];
  const open = new Set<WebSocket>();

  const openOne = () =>
    new Promise<WebSocket>((done, fail) => {
      const socket = connect();
      open.add(socket);
      socket.once("open", () => done(socket));
      socket.once("error", () => fail(new Error("the node cannot be reached")));
      socket.once("close", () => {
        open.delete(socket);
        const at = idle.indexOf(socket);
        if (at >= 0) idle.splice(at, 1);
        // Its place is free for another.
        waiting.shift()?.(undefined);
      });
    });

  const take = async (): Promise<WebSocket> => {
    const found = idle.pop();
    if (found) return found;
    if (open.size < MAX_SOCKETS) return openOne();
    const given = await new Promise<WebSocket | undefined>((done) => waiting.push(done));
    return given ?? take();
  };
  const giveBack = (socket: WebSocket) => {
    const next = waiting.shift();
    if (next) next(socket);
    else idle.push(socket);
  };

  return {
    async ask(text, isAnswered) {
      const socket = await take();
      if (!isAnswered) {
        socket.send(text);
        giveBack(socket);
        return "";
      }
      return new Promise<string>((done, fail) => {
        const end = (error?: Error) => {
          clearTimeout(timer);
          socket.off("message", onMessage);
          socket.off("close", onClose);
          if (!error) return;
          // An answer that comes late must not be taken for that of the next body.
          socket.terminate();
          fail(error);
        };
        const timer = setTimeout(() => end(new Error("the node did not answer in time")), timeoutMs);
        const onMessage = (data: WebSocket.RawData) => {
          end();
          giveBack(socket);
          done(data.toString());
        };
        const onClose = () => end(new Error("the node closed the connection"));
        socket.on("message", onMessage);
        socket.on("close", onClose);
        socket.send(text);
      });
    },
    close() {
      for (const socket of open) socket.terminate();
    },
  };
}
