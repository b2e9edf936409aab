import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { NodeCall } from "./faultyNode.js";
import type { LocalChain } from "./localChain.js";

/** A node behind a WebSocket (RFC 6455): text messages in single frames, which is all that a test needs. */
export interface WebSocketNode {
  readonly url: string;
  /** Calls by method, those of subscriptions included. */
  readonly calls: Map<string, number>;
  /** Sends the newest block to everybody who subscribed. */
  sendHead(): Promise<void>;
  /** Ends every connection. */
  disconnect(): void;
  close(): Promise<void>;
}

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

export async function startWebSocketNode(chain: LocalChain): Promise<WebSocketNode> {
  const calls = new Map<string, number>();
  const sockets = new Set<Socket>();
  const subscribers = new Set<Socket>();

  async function answer(socket: Socket, call: NodeCall): Promise<object> {
    calls.set(call.method, (calls.get(call.method) ?? 0) + 1);
    if (call.method !== "eth_subscribe")
      return { jsonrpc: "2.0", id: call.id, ...(await chain.answer(call.method, call.params)) };
    subscribers.add(socket);
    return { jsonrpc: "2.0", id: call.id, result: "0x1" };
  }
  async function receive(socket: Socket, text: string): Promise<void> {
    const body: NodeCall | NodeCall[] = JSON.parse(text);
    const answers = await Promise.all([body].flat().map((call) => answer(socket, call)));
    send(socket, JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  }

  const server = createServer();
  server.on("upgrade", (request, socket: Socket) => {
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
        if (frame.isText) void receive(socket, frame.text);
        else socket.end();
      }
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      subscribers.delete(socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    calls,
    async sendHead() {
      const result = await chain.rpc("eth_getBlockByNumber", "latest", false);
      const message = { jsonrpc: "2.0", method: "eth_subscription", params: { subscription: "0x1", result } };
      for (const socket of subscribers) send(socket, JSON.stringify(message));
    },
    disconnect() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
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
    isText: ((bytes[0] as number) & 0x0f) === 1,
    text: payload.toString("utf8"),
    bytes: start + length,
  };
}

function send(socket: Socket, text: string): void {
  const payload = Buffer.from(text);
  const head = payload.length < 126 ? Buffer.from([0x81, payload.length]) : Buffer.alloc(10);
  if (payload.length >= 126) {
    head.set([0x81, 127]);
    head.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  socket.write(Buffer.concat([head, payload]));
}
