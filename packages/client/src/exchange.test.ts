import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { createClient } from "./createClient.js";
import { ServiceUnreachableError } from "./errors.js";
import { exchange, MAX_BODY_BYTES } from "./exchange.js";

/** What `exchange` makes of a server that answers like this. */
async function outcomeOf(answer: (response: ServerResponse) => void, timeoutMs?: number): Promise<unknown> {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    return await exchange(fetch, { method: "GET", url, body: null }, { timeoutMs }).catch((error) => error);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("exchange", () => {
  it("gives up on a server that says nothing, or never stops", async () => {
    const drip = (response: ServerResponse) => {
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    };
    for (const answer of [() => {}, drip]) {
      const failure = await outcomeOf(answer, 200);
      expect(failure).toBeInstanceOf(ServiceUnreachableError);
      expect(failure).toMatchObject({ mayHaveArrived: true, message: expect.stringContaining("timeout") });
    }
  });

  it("says where a redirect points, and does not follow it", async () => {
    const asked: string[] = [];
    const redirecting: typeof fetch = async (url) => {
      asked.push(String(url));
      return new Response(null, { status: 301, headers: { location: "https://service.test/health" } });
    };
    const client = createClient({ baseUrl: "http://service.test", fetch: redirecting });
    await expect(client.describe()).rejects.toThrow("it points to https://service.test/health");
    expect(asked).toEqual(["http://service.test/.well-known/assay.json"]);
  });

  it("gives up on a fetch that does not listen to signals", async () => {
    const silent: typeof fetch = () => new Promise(() => {});
    const request = { method: "GET", url: "http://service.test/", body: null } as const;
    await expect(exchange(silent, request, { timeoutMs: 20 })).rejects.toThrow(ServiceUnreachableError);
    const signal = AbortSignal.timeout(20);
    await expect(exchange(silent, request, { signal })).rejects.toThrow(/timeout/);
    const client = createClient({ baseUrl: "http://service.test", fetch: silent });
    await expect(client.catalog({ signal: AbortSignal.timeout(20) })).rejects.toThrow(/timeout/);
  });

  it("reads no more than an answer can be long", async () => {
    const send = (bytes: number) => (response: ServerResponse) => void response.end(Buffer.alloc(bytes, 32));
    expect(await outcomeOf(send(MAX_BODY_BYTES))).toMatchObject({ status: 200 });
    const endless = (response: ServerResponse) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 20, 32)));
      };
      response.on("drain", write);
      write();
    };
    const failure = await outcomeOf(endless);
    expect(failure).toBeInstanceOf(ServiceUnreachableError);
    expect(failure).toMatchObject({
      message: expect.stringContaining(`longer than ${MAX_BODY_BYTES} bytes`),
    });
  });
});
