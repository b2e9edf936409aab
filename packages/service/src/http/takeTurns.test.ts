import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { createPeers, type FindPeer } from "./peers.js";
import { MAX_BESIDE_IN_ALL, MAX_UNANSWERED, MAX_WAITING, takeTurns } from "./takeTurns.js";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Who is at the other end does not matter, as behind a trusted proxy. */
const noPeer: FindPeer = () => undefined;

async function start(handle: Handle, findPeer = noPeer, inTurns = true): Promise<() => Promise<Socket>> {
  const peers = createPeers(findPeer);
  const server = createServer(inTurns ? takeTurns(handle, peers) : handle);
  server.prependListener("connection", peers.admit);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return async () => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    // A socket that is not read does not see either that the other end closed it.
    socket.on("error", () => undefined).resume();
    closers.push(() => socket.destroy());
    await new Promise((ready) => socket.once("connect", ready));
    return socket;
  };
}
const open = async (handle: Handle, findPeer = noPeer, inTurns = true) =>
  (await start(handle, findPeer, inTurns))();

const requests = (count: number) => "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count);
const settle = () => new Promise((resume) => setTimeout(resume, 100));
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 5 });

test("a connection that reads no answers has only so many requests served", async () => {
  let served = 0;
  const finish: (() => void)[] = [];
  const socket = await open((_request, response) => {
    served += 1;
    finish.push(() => response.end("done"));
  });
  socket.write(requests(100));
  await eventually(() => expect(served).toBe(MAX_UNANSWERED));
  await settle();
  expect(served).toBe(MAX_UNANSWERED);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  await eventually(() => {
    for (const one of finish.splice(0)) one();
    expect([served, text.match(/HTTP\/1\.1 200/g)?.length]).toEqual([100, 100]);
  });
});

test("control: without turns every request is served at once", async () => {
  let served = 0;
  const count = () => {
    served += 1;
  };
  const socket = await open(count, noPeer, false);
  socket.write(requests(100));
  await eventually(() => expect(served).toBe(100));
});

test("a connection that sends more than it may is cut off", async () => {
  const socket = await open(() => undefined);
  const closed = new Promise((done) => socket.once("close", done));
  socket.write(requests(MAX_UNANSWERED + MAX_WAITING + 100));
  await closed;
});

test("what waits on a connection is forgotten with it, and not served to nobody", async () => {
  let served = 0;
  const connectTo = await start((_request, response) => {
    served += 1;
    setTimeout(() => response.end("done"), 20);
  });
  const socket = await connectTo();
  socket.write(requests(400));
  await eventually(() => expect(served).toBeGreaterThan(0));
  const before = served;
  socket.destroy();
  await settle();
  // Those that were under way when it left.
  expect(served - before).toBeLessThanOrEqual(MAX_UNANSWERED);
  expect(served).toBeLessThan(200);
});

test("connections together have only so many requests beside others, and each has one all the same", async () => {
  let served = 0;
  const connectTo = await start(() => {
    served += 1;
  });
  const greedy = MAX_BESIDE_IN_ALL / (MAX_UNANSWERED - 1) + 20;
  const most = MAX_BESIDE_IN_ALL + Math.ceil(greedy);
  for (let at = 0; at < greedy; at += 1) (await connectTo()).write(requests(40));
  await eventually(() => expect(served).toBe(most));
  await settle();
  expect(served).toBe(most);
  (await connectTo()).write(requests(1));
  await eventually(() => expect(served).toBe(most + 1));
});

/** Reads until one whole answer was there. */
async function ask(socket: Socket): Promise<string> {
  socket.write(requests(1));
  return new Promise((answered) => socket.once("data", (chunk) => answered(String(chunk))));
}
const isClosed = (socket: Socket) => socket.destroyed;
const tooMany = requests(MAX_UNANSWERED + MAX_WAITING + 100);
/** Late enough for a whole packet of requests to arrive before. */
const answerSlowly: Handle = (_request, response) => {
  setTimeout(() => response.end("done"), 50);
};
const oneAddress: FindPeer = () => "192.0.2.1";

test("an address that sends too much opens no connection for a while and loses those that were never answered", async () => {
  const connectTo = await start(answerSlowly, oneAddress);
  const silent = await connectTo();
  const flood = await connectTo();
  flood.write(tooMany);
  await eventually(() => expect([flood, silent].map(isClosed)).toEqual([true, true]));
  const late = await connectTo();
  await eventually(() => expect(isClosed(late)).toBe(true));
});

test("its neighbours at that address keep the connections on which they were answered", async () => {
  const connectTo = await start(answerSlowly, oneAddress);
  const neighbour = await connectTo();
  expect(await ask(neighbour)).toContain("200 OK");
  const flood = await connectTo();
  flood.write(tooMany);
  await eventually(() => expect(isClosed(flood)).toBe(true));
  expect(await ask(neighbour)).toContain("200 OK");
  expect(isClosed(neighbour)).toBe(false);
});

test("connections that first behave and then flood, one after another, are all closed with the second", async () => {
  let served = 0;
  const connectTo = await start((request, response) => {
    served += 1;
    answerSlowly(request, response);
  }, oneAddress);
  const sockets = await Promise.all(Array.from({ length: 8 }, () => connectTo()));
  for (const socket of sockets) expect(await ask(socket)).toContain("200 OK");
  served = 0;
  for (const socket of sockets) socket.write(tooMany);
  await eventually(() => expect(sockets.every(isClosed)).toBe(true));
  // Of the two that were read before all were closed.
  expect(served).toBeLessThanOrEqual(2 * MAX_UNANSWERED);
});

test("many connections of one address wait together for no more than their address may", async () => {
  const connectTo = await start(() => undefined, oneAddress);
  const sockets = await Promise.all(Array.from({ length: 6 }, () => connectTo()));
  for (const socket of sockets) socket.write(requests(300));
  await eventually(() => expect(sockets.every(isClosed)).toBe(true));
});

test("control: behind a trusted proxy the flood ends alone, and everybody else is served", async () => {
  const connectTo = await start(answerSlowly, noPeer);
  const silent = await connectTo();
  const flood = await connectTo();
  flood.write(tooMany);
  await eventually(() => expect(isClosed(flood)).toBe(true));
  expect(await ask(silent)).toContain("200 OK");
  expect(await ask(await connectTo())).toContain("200 OK");
});
