import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { NodeCall } from "./faultyNode.js";
import type { LocalChain } from "./localChain.js";
import { sendMessage, serveSockets } from "./serveSockets.js";

/** A node behind a WebSocket. */
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

export async function startWebSocketNode(chain: LocalChain): Promise<WebSocketNode> {
  const calls = new Map<string, number>();
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
    sendMessage(socket, JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  }

  const server = createServer();
  const { disconnect } = serveSockets(server, {
    onText: (socket, text) => void receive(socket, text),
    onClose: (socket) => subscribers.delete(socket),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    calls,
    async sendHead() {
      const result = await chain.rpc("eth_getBlockByNumber", "latest", false);
      const message = { jsonrpc: "2.0", method: "eth_subscription", params: { subscription: "0x1", result } };
      for (const socket of subscribers) sendMessage(socket, JSON.stringify(message));
    },
    disconnect,
    async close() {
      disconnect();
      server.close();
      await once(server, "close");
    },
  };
}
