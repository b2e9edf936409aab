import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SeededChoices } from "@assay/chain/testing/seededChoices";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";

/** No reorganisation reaches a block as deep as this, so it may be called final. */
const FINAL_DEPTH = 12;
const BLOCK_MS = 150;

/** A node whose newest blocks are replaced while it is asked. */
export interface ReorgNode {
  readonly url: string;
  /** Replaces this many blocks before, or else after, it answers the n-th request from now. */
  arm(plan: { readonly request: number; readonly depth: number; readonly isBefore: boolean }): void;
  /** How many requests have come since it was armed, and whether the blocks were replaced. */
  disarm(): { readonly requests: number; readonly isDone: boolean };
  close(): Promise<void>;
}

/** The campaign mines by itself, and can therefore go back to before each of the newest blocks. */
export async function startReorgNode(devnet: Devnet, choices: SeededChoices): Promise<ReorgNode> {
  /** Taken before each block, the newest last. */
  const snapshots: Hex[] = [];
  const sent: { readonly raw: string; readonly before: number }[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  let plan: { request: number; depth: number; isBefore: boolean } | undefined;
  let requests = 0;
  let isDone = false;
  let isClosed = false;

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  }

  async function mineOne(): Promise<void> {
    // Another block than any that was undone at this height.
    await devnet.request("hardhat_setCoinbase", [choices.hex(20)]);
    snapshots.push(await devnet.snapshot());
    await devnet.mine();
  }

  async function reorganise(depth: number): Promise<void> {
    const from = Math.max(0, snapshots.length - depth);
    const undone = sent.filter(({ before }) => before > from);
    await devnet.revert(snapshots[from] as Hex);
    snapshots.splice(from);
    for (const { raw } of undone) {
      // What is undone waits again at most nodes. Some forget it.
      if (choices.chance(0.5)) await devnet.request("eth_sendRawTransaction", [raw]).catch(() => undefined);
    }
    for (let block = 0; block <= depth; block += 1) await mineOne();
    isDone = true;
  }

  await devnet.request("evm_setAutomine", [false]);
  await devnet.request("evm_setIntervalMining", [0]);
  for (let block = 0; block < 2 * FINAL_DEPTH; block += 1) await mineOne();
  const mining = setInterval(() => {
    if (!isClosed) void inTurn(mineOne).catch(() => undefined);
  }, BLOCK_MS);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    requests += 1;
    const due = plan?.request === requests ? plan : undefined;
    if (due?.isBefore) await inTurn(() => reorganise(due.depth));
    const answer = await inTurn(() => forward(body));
    if (due && !due.isBefore) await inTurn(() => reorganise(due.depth));
    response.setHeader("content-type", "application/json");
    response.end(answer);
  }

  /** A whole batch is answered between two blocks, as one backend does. */
  async function forward(body: unknown): Promise<string> {
    const head = Number(await devnet.request<Hex>("eth_blockNumber"));
    const final = `0x${Math.max(0, head - FINAL_DEPTH).toString(16)}`;
    const rename = (call: { method: string; params?: unknown[] }) => {
      if (call.method === "eth_sendRawTransaction")
        sent.push({ raw: String(call.params?.[0]), before: snapshots.length });
      const params = call.params?.map((param) => (param === "finalized" || param === "safe" ? final : param));
      return { ...call, params };
    };
    const calls = Array.isArray(body) ? body.map(rename) : rename(body as { method: string });
    const response = await fetch(devnet.rpcUrl, { method: "POST", body: JSON.stringify(calls) });
    return response.text();
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm(next) {
      [plan, requests, isDone] = [next, 0, false];
    },
    disarm() {
      plan = undefined;
      return { requests, isDone };
    },
    async close() {
      isClosed = true;
      clearInterval(mining);
      await turn;
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}
