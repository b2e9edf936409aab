import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { MAX_BESIDE_IN_ALL, MAX_UNANSWERED, MAX_WAITING, takeTurns } from "./takeTurns.js";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function start(handle: RequestListener): Promise<() => Promise<Socket>> {
  const server = createServer(handle);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return async () => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => undefined);
    closers.push(() => socket.destroy());
    await new Promise((ready) => socket.once("connect", ready));
    return socket;
  };
}
const open = async (handle: RequestListener) => (await start(handle))();

const requests = (count: number) => "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count);
const settle = () => new Promise((resume) => setTimeout(resume, 100));

test("a connection that reads no answers has only so many requests served", async () => {
  let served = 0;
  const finish: (() => void)[] = [];
  const socket = await open(
    takeTurns((_request, response) => {
      served += 1;
      finish.push(() => response.end("done"));
    }),
  );
  socket.write(requests(100));
  await settle();
  expect(served).toBe(MAX_UNANSWERED);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  while (finish.length > 0) {
    for (const one of finish.splice(0)) one();
    await settle();
  }
  expect(served).toBe(100);
  expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(100);
});

test("control: without turns every request is served at once", async () => {
  let served = 0;
  const socket = await open(() => {
    served += 1;
  });
  socket.write(requests(100));
  await settle();
  expect(served).toBe(100);
});

test("a connection that sends more than it may is cut off", async () => {
  const socket = await open(takeTurns(() => undefined));
  const closed = new Promise((done) => socket.once("close", done));
  socket.write(requests(MAX_UNANSWERED + MAX_WAITING + 100));
  await closed;
});

test("what waits on a connection is forgotten with it, and not served to nobody", async () => {
  let served = 0;
  const connectTo = await start(
    takeTurns((_request, response) => {
      served += 1;
      setTimeout(() => response.end("done"), 20);
    }),
  );
  const socket = await connectTo();
  socket.write(requests(400));
  await settle();
  const before = served;
  socket.destroy();
  await settle();
  // Those that were under way when it left.
  expect(served - before).toBeLessThanOrEqual(MAX_UNANSWERED);
  expect(served).toBeLessThan(200);
});

test("connections together have only so many requests beside others, and each has one all the same", async () => {
  let served = 0;
  const connectTo = await start(
    takeTurns(() => {
      served += 1;
    }),
  );
  const greedy = MAX_BESIDE_IN_ALL / (MAX_UNANSWERED - 1) + 20;
  for (let at = 0; at < greedy; at += 1) (await connectTo()).write(requests(40));
  await settle();
  expect(served).toBe(MAX_BESIDE_IN_ALL + Math.ceil(greedy));
  (await connectTo()).write(requests(1));
  await settle();
  expect(served).toBe(MAX_BESIDE_IN_ALL + Math.ceil(greedy) + 1);
});
