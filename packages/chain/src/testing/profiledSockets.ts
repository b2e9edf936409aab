import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { NodeCall } from "./faultyNode.js";
import type { LocalChain } from "./localChain.js";
import type { SocketManner } from "./providerProfile.js";
import { sendMessage, serveSockets } from "./serveSockets.js";

const POLL_MS = 50;
const SUBSCRIPTION = "0x5a";
const REFUSED = { code: -32601, message: "the method eth_subscribe does not exist/is not available" };

/** The WebSockets of a provider: the answers of its HTTP requests, and the heads of its chain. */
export function attachSockets(
  server: Server,
  chain: LocalChain,
  provider: {
    readonly manner: () => SocketManner;
    /** The body of the answer; undefined where the provider hangs up. */
    readonly answer: (text: string) => Promise<string | undefined>;
  },
): { close(): void } {
  const subscribers = new Set<Socket>();
  let answered = 0;
  let sentHead = "";

  async function sendHead(): Promise<void> {
    const number = await chain.rpc<string>("eth_blockNumber");
    if (number === sentHead) return;
    sentHead = number;
    const result = await chain.rpc("eth_getBlockByNumber", number, false);
    const params = { subscription: SUBSCRIPTION, result };
    const message = JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params });
    for (const socket of subscribers) say(socket, message);
  }
  // The chain behind it may be closed before the node is.
  const timer = setInterval(() => subscribers.size > 0 && void sendHead().catch(() => undefined), POLL_MS);

  const say = (socket: Socket, text: string) =>
    sendMessage(socket, text, provider.manner().binary ? "binary" : "text");

  function subscribe(socket: Socket, id: unknown): void {
    const { heads } = provider.manner();
    if (heads === undefined) subscribers.add(socket);
    const isTaken = heads === undefined || heads === "silent";
    const answer = isTaken
      ? { id, result: SUBSCRIPTION }
      : { id: heads === "refused" ? id : null, error: REFUSED };
    say(socket, JSON.stringify({ jsonrpc: "2.0", ...answer }));
  }

  async function receive(socket: Socket, text: string): Promise<void> {
    const body: NodeCall | readonly NodeCall[] = JSON.parse(text);
    if ("method" in body && body.method === "eth_subscribe") return subscribe(socket, body.id);
    const { hangsUpEvery, answersOneByOne } = provider.manner();
    answered += 1;
    const isLost = hangsUpEvery !== undefined && answered % hangsUpEvery === 0;
    const answer = await provider.answer(text);
    if (isLost || answer === undefined) return void socket.destroy();
    const given: unknown = JSON.parse(answer);
    if (!answersOneByOne || !Array.isArray(given)) return say(socket, answer);
    for (const one of given.toReversed()) say(socket, JSON.stringify(one));
  }

  const { disconnect } = serveSockets(server, {
    onText: (socket, text) => void receive(socket, text).catch(() => socket.destroy()),
    onClose: (socket) => subscribers.delete(socket),
  });
  return {
    close() {
      clearInterval(timer);
      disconnect();
    },
  };
}
