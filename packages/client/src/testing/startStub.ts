import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Stub {
  readonly url: string;
  stop(): Promise<void>;
}

/** A server that answers every request as the test says. */
export async function startStub(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Stub> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** A problem document (RFC 9457). */
export function answerProblem(
  response: ServerResponse,
  status: number,
  problem: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/problem+json", ...headers });
  const known = { type: "about:blank", title: "Refused", status, detail: "No.", requestId: "req_1" };
  response.end(JSON.stringify({ ...known, ...problem }));
}
