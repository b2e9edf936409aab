import type { IncomingHttpHeaders } from "node:http";
import { type Stub, startStub } from "./startStub.js";

export interface NodeRecorder extends Stub {
  /** The bodies that have arrived, oldest first. */
  readonly bodies: Buffer[];
  readonly headers: IncomingHttpHeaders[];
  /** Set, it answers in place of the node. */
  answer:
    | ((body: string) => { status?: number; headers?: Record<string, string>; body: Buffer | string })
    | undefined;
}

/** A node that keeps what it is sent, and lets another one answer. */
export async function startNodeRecorder(nodeUrl: string): Promise<NodeRecorder> {
  const bodies: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const stub = await startStub(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    bodies.push(body);
    headers.push(request.headers);
    const own = recorder.answer?.(body.toString());
    if (own) {
      response
        .writeHead(own.status ?? 200, own.headers ?? { "Content-Type": "application/json" })
        .end(own.body);
      return;
    }
    const answer = await fetch(nodeUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const recorder: NodeRecorder = { ...stub, bodies, headers, answer: undefined };
  return recorder;
}
