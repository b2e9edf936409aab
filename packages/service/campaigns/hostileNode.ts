import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SeededChoices } from "@assay/chain/testing/seededChoices";
import type { Devnet } from "@assay/devnet";
import { keccak256 } from "viem";

export const nodeBehaviours = [
  "send_answer_lost",
  "send_dropped",
  "receipts_late",
  "rate_limited",
  "stale_reads",
  "outage",
  "mixed",
] as const;
export type NodeBehaviour = (typeof nodeBehaviours)[number];

/** A JSON-RPC node in front of the devnet. The campaign sets how it fails and for how long. */
export interface HostileNode {
  readonly url: string;
  fail(behaviour: NodeBehaviour, choose: SeededChoices): void;
  heal(): void;
  /** How many requests were not answered honestly. */
  failures(): number;
  close(): Promise<void>;
}

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}
type Answer = { readonly result: unknown } | { readonly error: { code: number; message: string } };
interface Fault {
  readonly behaviour: NodeBehaviour;
  readonly choose: SeededChoices;
  /** For `stale_reads`: how many blocks it is behind. */
  readonly lag: number;
  drops: number;
}

const isSend = ({ method }: Call) => method === "eth_sendRawTransaction";

export async function startHostileNode(devnet: Devnet): Promise<HostileNode> {
  let fault: Fault | undefined;
  let failures = 0;

  async function forward(call: Call): Promise<Answer> {
    const response = await fetch(devnet.rpcUrl, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", ...call, id: 1 }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: never };
    return error === undefined ? { result } : { error };
  }

  async function answer(call: Call, current: Fault | undefined): Promise<Answer> {
    const behaviour = current?.behaviour;
    if (behaviour === "send_dropped" && isSend(call) && current && current.drops-- > 0) {
      failures++;
      return { result: keccak256(call.params[0] as `0x${string}`) };
    }
    if (behaviour === "receipts_late" && call.method === "eth_getTransactionReceipt") {
      failures++;
      return { result: null };
    }
    if (behaviour === "stale_reads" && current) return answerStale(call, current.lag);
    return forward(call);
  }

  /** Answers like a node that does not have the newest blocks yet. */
  async function answerStale(call: Call, lag: number): Promise<Answer> {
    if (isSend(call)) return forward(call);
    failures++;
    const head = Number(await devnet.request<string>("eth_blockNumber")) - lag;
    const tags = ["latest", "pending", "finalized"];
    const params = call.params.map((param) =>
      tags.includes(param as string) ? `0x${Math.max(0, head).toString(16)}` : param,
    );
    const answered = await forward({ ...call, params });
    if (call.method !== "eth_getTransactionReceipt" || !("result" in answered)) return answered;
    const receipt = answered.result as { blockNumber: string } | null;
    return receipt && Number(receipt.blockNumber) > head ? { result: null } : answered;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
    const calls = Array.isArray(body) ? body : [body];
    const current = fault?.behaviour === "mixed" ? pickMixed(fault) : fault;
    const { behaviour } = current ?? {};
    if (behaviour === "outage" || (behaviour === "rate_limited" && current?.choose.chance(0.6))) {
      failures++;
      if (behaviour === "outage") return void response.socket?.resetAndDestroy();
      return void response.writeHead(429, { "retry-after": "0" }).end();
    }
    const answers: unknown[] = [];
    for (const call of calls) answers.push({ jsonrpc: "2.0", id: call.id, ...(await answer(call, current)) });
    if (behaviour === "send_answer_lost" && calls.some(isSend)) {
      failures++;
      return void response.socket?.resetAndDestroy();
    }
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail(behaviour, choose) {
      fault = { behaviour, choose, lag: choose.integer(1, 6), drops: choose.integer(1, 3) };
    },
    heal() {
      fault = undefined;
    },
    failures: () => failures,
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A third of the requests fail, each in its own way. */
function pickMixed(fault: Fault): Fault | undefined {
  const { choose } = fault;
  if (choose.chance(0.66)) return undefined;
  const behaviour = choose.pick(nodeBehaviours.filter((name) => name !== "mixed"));
  return { behaviour, choose, lag: choose.integer(1, 6), drops: 1 };
}
