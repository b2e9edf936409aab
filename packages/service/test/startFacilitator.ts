import { createServer, type IncomingMessage } from "node:http";
import type { Hex } from "@assay/protocol";
import { x402Facilitator } from "@x402/core/facilitator";
import { createOfficialScheme } from "./createOfficialScheme.js";

async function readJson(request: IncomingMessage): Promise<Record<string, never>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || "{}") as Record<string, never>;
}

/** The official facilitator behind HTTP, as one that runs elsewhere. Returns what stops it. */
export async function startFacilitator(
  port: number,
  rpcUrl: string,
  privateKey: Hex,
): Promise<() => Promise<void>> {
  const facilitator = new x402Facilitator().register("eip155:8453", createOfficialScheme(rpcUrl, privateKey));
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    if (request.url === "/supported") return facilitator.getSupported();
    const { paymentPayload, paymentRequirements } = await readJson(request);
    if (request.url === "/verify")
      return facilitator.verify(paymentPayload as never, paymentRequirements as never);
    return facilitator.settle(paymentPayload as never, paymentRequirements as never);
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (body) => response.setHeader("content-type", "application/json").end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((ready, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", ready);
  });
  return async () => {
    const closed = new Promise<void>((done) => server.close(() => done()));
    server.closeAllConnections();
    await closed;
  };
}
