import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect as connectTo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import WebSocket, { WebSocketServer } from "ws";
import { findClosedAddress } from "../testing/findClosedAddress.js";
import { type NodeRecorder, startNodeRecorder } from "../testing/startNodeRecorder.js";
import { readJournal } from "./journal.js";
import { type OpenProxy, openProxy } from "./openProxy.js";

/** A node by WebSocket that keeps what it is sent; it answers with odd bytes and sends a notification. */
const seen: { text: string; isBinary: boolean }[] = [];
const notice =
  '{"jsonrpc":"2.0",  "method":"eth_subscription","params":{"subscription":"0x1","result":1.50}}';
const server = createServer();
const sockets = new WebSocketServer({ server });
let httpNode: NodeRecorder;
let folder: string;
let proxy: OpenProxy;
let overHttp: OpenProxy;

beforeAll(async () => {
  sockets.on("connection", (socket) =>
    socket.on("message", (data, isBinary) => {
      const text = data.toString();
      seen.push({ text, isBinary });
      const request = JSON.parse(text);
      const answer = (one: { id: unknown; method: string }) =>
        `{"id":${JSON.stringify(one.id)}, "result":"${one.method}"}`;
      socket.send(Array.isArray(request) ? `[${request.map(answer).join(" ,")}]` : answer(request));
      if (request.method === "eth_subscribe") socket.send(notice);
    }),
  );
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  folder = await mkdtemp(join(tmpdir(), "assay-sockets-"));
  httpNode = await startNodeRecorder("http://127.0.0.1:1");
  httpNode.answer = (body) => ({ body: `{"id":${JSON.parse(body).id},  "result":"http"}` });
  // Nobody judges here: what would be judged is refused.
  const client = {
    baseUrl: await findClosedAddress(),
    account: privateKeyToAccount(`0x${"11".repeat(32)}`),
    signer: "0x0000000000000000000000000000000000000001" as const,
  };
  const shared = { host: "127.0.0.1", port: 0, origins: ["https://app.example"], client, maxPerDayUsd: 1 };
  const { port } = server.address() as AddressInfo;
  proxy = await openProxy({
    ...shared,
    rpc: `ws://127.0.0.1:${port}`,
    journalFile: join(folder, "a", "journal.jsonl"),
  });
  overHttp = await openProxy({
    ...shared,
    rpc: httpNode.url,
    journalFile: join(folder, "b", "journal.jsonl"),
  });
});
afterAll(async () => {
  await Promise.all([proxy, overHttp].map((one) => one?.stop()));
  await httpNode?.stop();
  sockets.close();
  for (const socket of sockets.clients) socket.terminate();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

async function connect(url: string, headers = {}) {
  const socket = new WebSocket(url.replace("http", "ws"), { headers });
  const texts: string[] = [];
  const waiting: (() => void)[] = [];
  socket.on("message", (data) => {
    texts.push(data.toString());
    waiting.shift()?.();
  });
  await new Promise((ready, fail) => socket.once("open", ready).once("error", fail));
  return {
    socket,
    async next(): Promise<string> {
      if (texts.length === 0) await new Promise<void>((done) => waiting.push(done));
      return texts.shift() as string;
    },
  };
}
const transaction =
  '{"from":"0x1111111111111111111111111111111111111111","to":"0x2222222222222222222222222222222222222222"}';

it("passes messages and notifications unchanged, and judges what signs or sends", async () => {
  const { socket, next } = await connect(proxy.url);
  const subscribe = ' {"id":"s" ,"method":"eth_subscribe","params":["newHeads"]}';
  socket.send(subscribe);
  expect([await next(), await next()]).toEqual(['{"id":"s", "result":"eth_subscribe"}', notice]);
  expect(seen.at(-1)).toEqual({ text: subscribe, isBinary: false });
  const binary = Buffer.from('{"id":5,"method":"eth_chainId"}\n');
  socket.send(binary);
  expect(await next()).toBe('{"id":5, "result":"eth_chainId"}');
  expect(seen.at(-1)).toEqual({ text: binary.toString(), isBinary: true });

  const count = seen.length;
  socket.send(`{"id":1.0,"method":"eth_sendTransaction","params":[${transaction}]}`);
  expect(await next()).toMatch(/^\{"jsonrpc":"2.0","id":1.0,"error":\{"code":4001,.*not_judged/);
  socket.send(
    `[{"id":8,"method":"eth_chainId"},{"id":9,"method":"eth_sendTransaction","params":[${transaction}]}]`,
  );
  expect(JSON.parse(await next())).toMatchObject([
    { id: 8, result: "eth_chainId" },
    { id: 9, error: { code: 4001 } },
  ]);
  socket.send("{not json");
  expect(await next()).toContain("-32700");
  // The node was asked for its chain before a verdict was to be bought, and saw no transaction.
  expect(seen.slice(count).filter(({ text }) => text.includes("eth_sendTransaction"))).toEqual([]);
  expect((await readJournal(join(folder, "a", "journal.jsonl"))).entries).toMatchObject([
    { event: "refused" },
    { event: "refused" },
  ]);
  socket.close();
});

it("serves clients by HTTP from a node by WebSocket, each with its own answer", async () => {
  const ask = async (id: number) => {
    const body = `{"id":${id},"method":"eth_getBalance"}`;
    return (await fetch(proxy.url, { method: "POST", body })).text();
  };
  const ids = Array.from({ length: 60 }, (_, index) => index);
  expect(await Promise.all(ids.map(ask))).toEqual(ids.map((id) => `{"id":${id}, "result":"eth_getBalance"}`));
});

it("serves clients by WebSocket from a node by HTTP", async () => {
  const { socket, next } = await connect(overHttp.url, { origin: "https://app.example" });
  socket.send('{"id":3 ,"method":"eth_chainId"}');
  expect(await next()).toBe('{"id":3,  "result":"http"}');
  expect(httpNode.bodies.at(-1)?.toString()).toBe('{"id":3 ,"method":"eth_chainId"}');
  socket.close();
  await expect(connect(overHttp.url, { origin: "https://evil.example" })).rejects.toThrow("403");
});

const handshake = (host: string) =>
  `GET / HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${"A".repeat(22)}==\r\n\r\n`;

it("a client that breaks the protocol or is gone ends its own connection and nothing else", async () => {
  for (const { url } of [proxy, overHttp]) {
    const port = Number(new URL(url).port);
    const { socket } = await connect(url);
    socket.on("error", () => {});
    socket.send("x".repeat(6 << 20));
    expect(await new Promise((done) => socket.once("close", done))).toBe(1009);
    // A frame with reserved bits.
    const broken = connectTo(port, "127.0.0.1", () => broken.write(handshake("localhost")));
    broken.once("data", () => broken.write(Buffer.from([0xff, 0xff, 0x00])));
    await new Promise((done) => broken.once("close", done));
    for (let count = 0; count < 10; count += 1)
      await new Promise((done) => {
        const gone = connectTo(port, "127.0.0.1", () => {
          gone.write(handshake("evil.example"));
          gone.resetAndDestroy();
        });
        gone.on("error", () => {}).once("close", () => setTimeout(done, 5));
      });
    const body = '{"id":1,"method":"eth_getBalance"}';
    expect((await fetch(url, { method: "POST", body })).status).toBe(200);
  }
});

it("no client by HTTP gets notices into the answers of others", async () => {
  const ask = async (body: string) => (await fetch(proxy.url, { method: "POST", body })).text();
  const refused = [
    '{"id":1,"method":"eth_subscribe","params":["newHeads"]}',
    '[{"id":1,"method":"eth_chainId"},{"id":1,"method":"eth_subscribe","params":["newHeads"]}]',
  ];
  for (const body of refused) expect(await ask(body)).toContain("notices need a WebSocket");
  expect(await ask('{"id":2,"method":"eth_chainId"}')).toBe('{"id":2, "result":"eth_chainId"}');
});
