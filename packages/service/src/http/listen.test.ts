import { Agent, get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { listen } from "./listen.js";

test("while stopping, a request in progress finishes and an open connection is not kept for more", async () => {
  const app = new Hono();
  let finish = () => {};
  const held = new Promise<void>((resume) => {
    finish = resume;
  });
  app.get("/slow", async (c) => {
    await held;
    return c.text("done");
  });
  app.get("/quick", (c) => c.text("quick"));
  const listener = await listen(app, "127.0.0.1", 0);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string) =>
    new Promise<IncomingMessage>((answered, failed) => {
      get({ port: listener.port, path, agent }, (response) =>
        response.resume().on("end", () => answered(response)),
      ).on("error", failed);
    });
  const before = await ask("/quick");
  expect(before.headers.connection).toBe("keep-alive");
  const slow = ask("/slow");
  // One socket: this request waits behind the slow one and arrives after the stop has begun.
  const late = ask("/quick").catch((error: Error) => error);
  await new Promise((resume) => setTimeout(resume, 50));
  const closed = listener.close(5_000);
  finish();
  expect((await slow).statusCode).toBe(200);
  const answer = await late;
  // A server that has already closed the socket keeps the promise too.
  if (!(answer instanceof Error)) expect(answer.headers.connection).toBe("close");
  await closed;
  agent.destroy();
});

test("a connection that its caller keeps after the answer does not hold up the end", async () => {
  const app = new Hono();
  let finish = () => {};
  const held = new Promise<void>((resume) => {
    finish = resume;
  });
  let arrive = () => {};
  const arrived = new Promise<void>((resume) => {
    arrive = resume;
  });
  app.get("/slow", async (c) => {
    arrive();
    await held;
    return c.text("done");
  });
  const listener = await listen(app, "127.0.0.1", 0);
  const agent = new Agent({ keepAlive: true });
  const answered = new Promise((done, failed) => {
    get({ port: listener.port, path: "/slow", agent }, (response) => response.resume().on("end", done)).on(
      "error",
      failed,
    );
  });
  await arrived;
  // Far longer than a test may take.
  const closed = listener.close(3_600_000);
  finish();
  await answered;
  await closed;
  agent.destroy();
}, 10_000);

test("headers that never end hold a connection for as long as headers may take, also where the caller keeps its side open", async () => {
  const app = new Hono();
  app.get("/", (c) => c.text("served"));
  const listener = await listen(app, "127.0.0.1", 0, { headersWithinMs: 200 });
  const socket = connect({ port: listener.port, host: "127.0.0.1", allowHalfOpen: true });
  let seen = "";
  socket.setEncoding("latin1").on("data", (text) => {
    seen += text;
  });
  const isCutOff = new Promise<void>((done) => socket.on("error", () => done()).on("close", () => done()));
  socket.write("GET / HTTP/1.1\r\nHost: a\r\nx-slow: ");
  // Another byte now and then, also after the other end has closed.
  const drip = setInterval(() => socket.write("x"), 20);
  await isCutOff;
  clearInterval(drip);
  expect(seen).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(await (await fetch(`http://127.0.0.1:${listener.port}/`)).text()).toBe("served");
  await listener.close(0);
}, 20_000);
