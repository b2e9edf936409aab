import { expect, test } from "vitest";
import { createHostQueue } from "./hostQueue.js";

const forever = new AbortController().signal;

/** Work that ends when `end` is called. */
function createWork() {
  let end = () => undefined as undefined;
  const ended = new Promise<void>((resolve) => {
    end = () => resolve() as undefined;
  });
  return { ended, end: () => end() };
}

test("one host gets one request at a time and in order, another host at the same time", async () => {
  const inTurn = createHostQueue({ maxWaitingPerHost: 8, maxInAll: 8 });
  const [first, second] = [createWork(), createWork()];
  const begun: string[] = [];
  const run = (host: string, name: string, work: Promise<void>) =>
    inTurn(host, forever, () => {
      begun.push(name);
      return work;
    });
  const all = [run("a", "a1", first.ended), run("a", "a2", second.ended), run("b", "b1", Promise.resolve())];
  await all[2];
  expect(begun).toEqual(["a1", "b1"]);
  first.end();
  await all[0];
  await Promise.resolve();
  expect(begun).toEqual(["a1", "b1", "a2"]);
  second.end();
  await Promise.all(all);
});

test("work that fails makes room for the next", async () => {
  const inTurn = createHostQueue({ maxWaitingPerHost: 8, maxInAll: 1 });
  await expect(inTurn("a", forever, () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  expect(await inTurn("a", forever, async () => "answered")).toBe("answered");
});

test("a request that does not fit is refused as overloaded, for one host and for all", async () => {
  const inTurn = createHostQueue({ maxWaitingPerHost: 1, maxInAll: 3 });
  const work = createWork();
  const running = [inTurn("a", forever, () => work.ended), inTurn("a", forever, () => work.ended)];
  await expect(inTurn("a", forever, () => work.ended)).rejects.toMatchObject({ code: "overloaded" });
  running.push(inTurn("b", forever, () => work.ended));
  await expect(inTurn("c", forever, () => work.ended)).rejects.toMatchObject({ code: "overloaded" });
  work.end();
  await Promise.all(running);
  expect(await inTurn("a", forever, async () => "answered")).toBe("answered");
});

test("a request that waits too long leaves the queue and delays no other", async () => {
  const inTurn = createHostQueue({ maxWaitingPerHost: 8, maxInAll: 8 });
  const work = createWork();
  const limit = new AbortController();
  const running = inTurn("a", forever, () => work.ended);
  const late = inTurn("a", limit.signal, () => Promise.reject(new Error("it must not begin")));
  const patient = inTurn("a", forever, async () => "answered");
  limit.abort();
  await expect(late).rejects.toMatchObject({ code: "overloaded" });
  work.end();
  await running;
  expect(await patient).toBe("answered");
});
