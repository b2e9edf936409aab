import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LocalAnswer, LocalChain } from "./localChain.js";
import { refoldAnswers, unfoldCall } from "./unfoldCall.js";

export interface NodeCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What the node does with a whole HTTP request, or with each call in it. */
export type Fault =
  | { readonly kind: "status"; readonly status: number; readonly headers?: Record<string, string> }
  | { readonly kind: "body"; readonly body: string }
  /** `reversed`: the answers of a batch come in reverse order. `doubled`: every call is answered twice. */
  | { readonly kind: "hang" | "reset" | "reversed" | "doubled" }
  | { readonly kind: "maxBatch"; readonly size: number }
  | { readonly kind: "delay"; readonly ms: number }
  /** Return undefined to leave a call out of the answer. */
  | {
      readonly kind: "edit";
      readonly edit: (call: NodeCall, honest: LocalAnswer) => LocalAnswer | undefined;
    };

/** An HTTP server in front of a local chain that misbehaves on request. */
export interface FaultyNode {
  readonly url: string;
  readonly host: string;
  /** The calls of each HTTP request since the last reset, polls of the head left out. */
  readonly requests: NodeCall[][];
  fault: Fault | undefined;
  /** Which HTTP requests the fault applies to; all of them while undefined. */
  appliesTo: ((calls: readonly NodeCall[]) => boolean) | undefined;
  /** What the answer to an HTTP request waits for. */
  hold: ((calls: readonly NodeCall[]) => Promise<void> | undefined) | undefined;
  close(): Promise<void>;
}

export async function startFaultyNode(chain: LocalChain): Promise<FaultyNode> {
  const requests: NodeCall[][] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body: NodeCall | NodeCall[] = JSON.parse(text);
    const calls = Array.isArray(body) ? body : [body];
    // A poll may share a batch with other requests of the same moment.
    const asked = calls.filter((call) => !isHeadPoll(call));
    if (asked.length > 0) requests.push(asked);
    const fault = node.appliesTo?.(calls) === false ? undefined : node.fault;
    await node.hold?.(calls);
    if (fault?.kind === "hang") return;
    if (fault?.kind === "reset") return void response.socket?.resetAndDestroy();
    if (fault?.kind === "status") {
      response.writeHead(fault.status, { "content-type": "text/html", ...fault.headers });
      return void response.end("<html><body>Bad gateway</body></html>");
    }
    if (fault?.kind === "body") return void response.end(fault.body);
    if (fault?.kind === "delay") await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (fault?.kind === "maxBatch" && calls.length > fault.size) {
      return sendJson(response, {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32600, message: "batch too large" },
      });
    }
    const answers: unknown[] = [];
    for (const call of calls) {
      const honest = await chain.answer(call.method, call.params);
      const given = fault?.kind === "edit" ? await editAnswer(chain, call, honest, fault.edit) : honest;
      if (given !== undefined) answers.push({ jsonrpc: "2.0", id: call.id, ...given });
    }
    if (fault?.kind === "reversed") answers.reverse();
    if (fault?.kind === "doubled") return sendJson(response, [...answers, ...answers]);
    sendJson(response, Array.isArray(body) ? answers : (answers[0] ?? {}));
  };
  const server = createServer((request, response) => {
    // The chain behind it may be closed while a poll is under way.
    answer(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const node: FaultyNode = {
    url: `http://${host}/`,
    host,
    requests,
    fault: undefined,
    appliesTo: undefined,
    hold: undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return node;
}

type Edit = Extract<Fault, { kind: "edit" }>["edit"];

/** In a request that stands for several, each of them is edited; then the whole, where none was. */
async function editAnswer(chain: LocalChain, call: NodeCall, honest: LocalAnswer, edit: Edit) {
  const parts = unfoldCall(call).map((part): NodeCall => ({ ...part, id: call.id }));
  const own = await Promise.all(parts.map(({ method, params }) => chain.answer(method, params)));
  const given = parts.map((part, i) => edit(part, own[i] as LocalAnswer));
  return given.every((answer, i) => answer === own[i]) ? edit(call, honest) : refoldAnswers(call, given);
}

export function isHeadPoll(call: NodeCall): boolean {
  return call.method === "eth_getBlockByNumber" && call.params[0] === "latest";
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}
