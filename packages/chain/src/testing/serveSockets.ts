import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/** WebSockets of a server (RFC 6455): messages in single frames, which is all that a test needs. */
export interface SocketServer {
  /** Ends every connection without a word. */
  disconnect(): void;
}

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT = 1;
const BINARY = 2;

export function serveSockets(
  server: Server,
  listeners: { onText(socket: Socket, text: string): void; onClose?(socket: Socket): void },
): SocketServer {
  const sockets = new Set<Socket>();
  server.on("upgrade", (request: IncomingMessage, socket: Socket) => {
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}${GUID}`)
      .digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    sockets.add(socket);
    let unread = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk]);
      for (let frame = readFrame(unread); frame; frame = readFrame(unread)) {
        unread = unread.subarray(frame.bytes);
        if (frame.isText) listeners.onText(socket, frame.text);
        else socket.end();
      }
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      listeners.onClose?.(socket);
    });
  });
  return {
    disconnect() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A client's frame is masked; its first byte says what it is. */
function readFrame(bytes: Buffer): { isText: boolean; text: string; bytes: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] as number) & 0x7f;
  const more = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + more + 4;
  if (bytes.length < start) return undefined;
  const length = more === 2 ? bytes.readUInt16BE(2) : more === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < start + length) return undefined;
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(
    bytes.subarray(start, start + length).map((byte, i) => byte ^ (mask[i % 4] as number)),
  );
  return {
    isText: ((bytes[0] as number) & 0x0f) === TEXT,
    text: payload.toString("utf8"),
    bytes: start + length,
  };
}

/** Some gateways send text as binary messages. */
export function sendMessage(socket: Socket, text: string, kind: "text" | "binary" = "text"): void {
  const payload = Buffer.from(text);
  const first = 0x80 | (kind === "text" ? TEXT : BINARY);
  const head = payload.length < 126 ? Buffer.from([first, payload.length]) : Buffer.alloc(10);
  if (payload.length >= 126) {
    head.set([first, 127]);
    head.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  socket.write(Buffer.concat([head, payload]));
}
