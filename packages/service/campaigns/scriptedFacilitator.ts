import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import type { Hex } from "@assay/protocol";
import { startFacilitator } from "../test/startFacilitator.js";

export const settleMoods = ["honest", "refuse", "drop", "settle_then_drop", "garbage"] as const;
/** How it answers a request to settle: for `drop` and `refuse` nothing is moved, for the others the payment is. */
export type SettleMood = (typeof settleMoods)[number];

export interface ScriptedFacilitator {
  readonly url: string;
  /** How each settlement from now on goes. */
  setMood(choose: () => SettleMood): void;
  close(): Promise<void>;
}

/** The official facilitator, behind a door that can lose or spoil its answers. */
export async function startScriptedFacilitator(
  rpcUrl: string,
  privateKey: Hex,
): Promise<ScriptedFacilitator> {
  const innerPort = await findFreePort();
  const stopInner = await startFacilitator(innerPort, rpcUrl, privateKey);
  let choose: () => SettleMood = () => "honest";
  // The official facilitator asks the chain for its account's nonce each time, so one settles at a time.
  let turn: Promise<unknown> = Promise.resolve();

  async function forward(request: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const ask = async () => {
      const response = await fetch(`http://127.0.0.1:${innerPort}${request.url}`, {
        method: request.method ?? "GET",
        headers: { "content-type": "application/json" },
        ...(request.method === "POST" && { body: Buffer.concat(chunks) }),
      });
      return response.text();
    };
    if (request.url !== "/settle") return ask();
    const asked = turn.then(ask, ask);
    turn = asked.catch(() => undefined);
    return asked;
  }

  const server = createServer(async (request, response) => {
    const mood = request.url === "/settle" ? choose() : "honest";
    const answer = (body: string) => response.setHeader("content-type", "application/json").end(body);
    try {
      if (mood === "drop") return void request.socket.destroy();
      if (mood === "refuse") {
        const refusal = { success: false, errorReason: "insufficient_funds", transaction: "" };
        return void answer(JSON.stringify({ ...refusal, network: "eip155:8453" }));
      }
      const body = await forward(request);
      if (mood === "settle_then_drop") return void request.socket.destroy();
      answer(mood === "garbage" ? "<html>bad gateway</html>" : body);
    } catch {
      response.writeHead(502).end();
    }
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setMood(chosen) {
      choose = chosen;
    },
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
      await stopInner();
    },
  };
}

function findFreePort(): Promise<number> {
  return new Promise((found) => {
    const server = createSocketServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
}
