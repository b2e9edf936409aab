import { createSecretKey } from "node:crypto";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { PaymentRequired } from "@assay/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SaleRequest } from "../payments/challenge.js";
import { encodeTicket, findTicket, newBuyerSecret } from "../quotes/ticket.js";
import { createChallengeMemory, createStencil, encodeChallenge } from "./challengeMemory.js";

const ticketSecret = createSecretKey(Buffer.alloc(32, 7));
const terms = { cacheStatus: "miss", listPriceMicroUsd: 100_000n, endsAtMs: undefined } as const;

test("a copied challenge is the one that would be written anew, wherever its tickets stand", () => {
  const unit = fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code));
  const ascii = fc.string({ unit });
  // Between two ways to pay there is more than a group of base64.
  const between = fc.array(fc.string({ unit, minLength: 3 }), { maxLength: 2 });
  fc.assert(
    fc.property(ascii, between, ascii, fc.uuid(), fc.uuid(), (before, middle, after, one, other) => {
      const texts = [before, ...middle, after];
      const text = texts.join(other);
      const { bytes, bodyStart, write } = createStencil(texts.join(one), one, "between");
      const copy = Buffer.concat([Buffer.alloc(5), bytes]);
      write(copy, 5, other);
      expect(copy.toString("latin1", 5)).toBe(`${Buffer.from(text).toString("base64")}between${text}`);
      expect(copy.toString("latin1", 5 + bodyStart)).toBe(text);
    }),
  );
});

const memory = createChallengeMemory(
  {
    demand: { countMiss: () => undefined, countAsk: () => undefined, flush: async () => undefined },
    readClientAddress: () => "192.0.2.1",
    settings: { ticketSecret },
  },
  "payment-required,x-request-id",
);
function remember(url: string): void {
  const ticket = encodeTicket(ticketSecret, {
    capabilityId: "contract.guard",
    inputHash: null,
    priceMicroUsd: terms.listPriceMicroUsd,
    cacheStatus: terms.cacheStatus,
    expiresAtMs: Date.now() + 60_000,
    buyerSecret: newBuyerSecret(),
  });
  const request = { terms: () => terms, clientAddress: "192.0.2.1" } as unknown as SaleRequest;
  const challenge = { x402Version: 2, error: "größer", accepts: [{ extra: { ticket } }] };
  memory.remember(url, request, challenge as unknown as PaymentRequired, undefined);
}
let isStopping = false;
const server = createServer((request, response) => {
  if (isStopping) response.setHeader("connection", "close");
  if (!memory.tryAnswer(request, response)) response.writeHead(404).end();
});
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  remember("/price");
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** Everything that the service writes until it is silent or closes. */
async function exchange(text: string, answers: number): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let seen = "";
  socket.setEncoding("latin1").write(text);
  await new Promise<void>((done) => {
    socket.on("data", (chunk) => {
      seen += chunk;
      if (seen.match(/"accepts":.*?\}\]\}/g)?.length === answers) done();
    });
    socket.on("close", () => done());
  });
  socket.destroy();
  return seen;
}
const ask = (...lines: string[]) =>
  `GET /price HTTP/1.1\r\nHost: a\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;
const read = (seen: string) => {
  const [head = "", body = ""] = seen.split("\r\n\r\n");
  const [status, ...lines] = head.split("\r\n");
  const headers = new Map(
    lines.map((line) => line.split(": ") as [string, string]).map(([n, v]) => [n.toLowerCase(), v]),
  );
  return { status, headers, body };
};

test("every caller has a ticket of its own, in the header as in the body", async () => {
  const seen = await exchange(ask().repeat(40), 40);
  const parts = seen.split("HTTP/1.1 402 Payment Required\r\n").slice(1);
  expect(parts).toHaveLength(40);
  const secrets = parts.map((part) => {
    const { headers, body } = read(`\r\n${part}`);
    expect(Buffer.from(headers.get("payment-required") ?? "", "base64").toString("latin1")).toBe(body);
    expect(headers.get("content-length")).toBe(String(body.length));
    return findTicket(ticketSecret, JSON.parse(body).accepts[0].extra.ticket)?.buyerSecret;
  });
  expect(secrets).not.toContain(undefined);
  expect(new Set(secrets).size).toBe(40);
});

test("an answer with a prepared head has what Node writes where the connection ends with it", async () => {
  const kept = read(await exchange(ask(), 1));
  const ended = read(await exchange(ask("Connection: close"), 1));
  isStopping = true;
  const stopping = read(await exchange(ask(), 1));
  isStopping = false;
  const names = (headers: Map<string, string>) =>
    [...headers.keys()].filter((name) => name !== "keep-alive").sort();
  for (const other of [ended, stopping]) {
    expect(other.status).toBe(kept.status);
    expect(names(other.headers)).toEqual(names(kept.headers));
    expect(other.headers.get("connection")).toBe("close");
    for (const name of ["content-type", "cache-control", "content-length", "access-control-allow-origin"])
      expect(other.headers.get(name)).toBe(kept.headers.get(name));
  }
  expect(kept.headers.get("connection")).toBe("keep-alive");
  expect(Math.abs(Date.parse(kept.headers.get("date") ?? "") - Date.now())).toBeLessThan(60_000);
  expect(JSON.parse(kept.body).error).toBe("größer");
});

test("a paid request, another method and another URL are left to the router", async () => {
  for (const text of [
    ask("Payment-Signature: e30="),
    "POST /price HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    "GET /other HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  ])
    expect(await exchange(text.replace("Host: a\r\n", "Host: a\r\nConnection: close\r\n"), 1)).toContain(
      "404",
    );
});

test("text beyond ASCII is escaped, so that a body has as many bytes as characters", () => {
  const { body, header } = encodeChallenge({ error: "größer ✓" } as PaymentRequired);
  expect(body).toMatch(/^[ -~]+$/);
  expect(JSON.parse(Buffer.from(header, "base64").toString())).toEqual({ error: "größer ✓" });
});

test("long URLs fill no more memory than short ones: the oldest are forgotten", async () => {
  const url = (index: number) => `/${String(index).padStart(8_000, "x")}`;
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  for (let index = 0; index < 1_200; index++) remember(url(index));
  expect(await exchange(ask(url(1_199)), 1)).toContain("402 Payment Required");
  expect(await exchange(ask(url(0)), 1)).toContain("404 Not Found");
  // One that is remembered anew counts once.
  for (let again = 0; again < 1_200; again++) remember(url(1_198));
  expect(await exchange(ask(url(1_199)), 1)).toContain("402 Payment Required");
});
