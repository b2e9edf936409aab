import { expect, test, vi } from "vitest";
import { type BatchWork, createBatchCalls, ONE_BY_ONE } from "./batchCalls.js";

const double: BatchWork<number, number> = async (items) => items.map((item) => item * 2);

test("calls of one turn share one run, and each gets its own answer", async () => {
  const batch = createBatchCalls(() => true);
  const work = vi.fn(double);
  expect(await Promise.all([1, 2, 3].map((n) => batch("double", n, work)))).toEqual([2, 4, 6]);
  expect(work.mock.calls).toEqual([[[1, 2, 3]]]);
});

test("work under different names is kept apart", async () => {
  const batch = createBatchCalls(() => true);
  const work = vi.fn(double);
  await Promise.all([batch("one", 1, work), batch("other", 2, work)]);
  expect(work.mock.calls).toEqual([[[1]], [[2]]]);
});

test("what arrives while two runs are under way waits and travels together", async () => {
  const batch = createBatchCalls(() => true);
  const open: (() => void)[] = [];
  const work = vi.fn(async (items: readonly number[]) => {
    await new Promise<void>((done) => open.push(done));
    return items;
  });
  const nextTurn = () => new Promise((done) => setImmediate(done));
  const answers = [];
  for (const n of [1, 2, 3, 4]) {
    answers.push(batch("slow", n, work));
    await nextTurn();
    await nextTurn();
  }
  expect(work.mock.calls).toEqual([[[1]], [[2]]]);
  open[0]?.();
  await answers[0];
  await vi.waitFor(() => expect(work.mock.calls).toEqual([[[1]], [[2]], [[3, 4]]]));
  for (const done of open) done();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4]);
});

test("work that is done one by one waits for the run under way", async () => {
  const batch = createBatchCalls(() => true);
  const open: (() => void)[] = [];
  const work = vi.fn(async (items: readonly number[]) => {
    await new Promise<void>((done) => open.push(done));
    return items;
  });
  const answers = [];
  for (const n of [1, 2, 3]) {
    answers.push(batch("log", n, work, ONE_BY_ONE));
    await new Promise((done) => setTimeout(done, 2));
  }
  expect(work.mock.calls).toEqual([[[1]]]);
  open[0]?.();
  await vi.waitFor(() => expect(work.mock.calls).toEqual([[[1]], [[2, 3]]]));
  open[1]?.();
  expect(await Promise.all(answers)).toEqual([1, 2, 3]);
});

test("one item's fault is its own: the others are answered", async () => {
  const batch = createBatchCalls(() => true);
  const work = async (items: readonly number[]) => {
    if (items.includes(2)) throw new Error("two is refused");
    return items;
  };
  const answers = await Promise.allSettled([1, 2, 3].map((n) => batch("pick", n, work)));
  expect(answers.map((answer) => (answer.status === "fulfilled" ? answer.value : "refused"))).toEqual([
    1,
    "refused",
    3,
  ]);
});

test("a fault that is nobody's own is not tried again", async () => {
  const batch = createBatchCalls(() => false);
  const work = vi.fn(async () => {
    throw new Error("the database is away");
  });
  const answers = await Promise.allSettled([1, 2].map((n) => batch("away", n, work)));
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(work).toHaveBeenCalledTimes(1);
});

test("an answer that is missing is an error, not a silence", async () => {
  const batch = createBatchCalls(() => false);
  await expect(batch("short", 1, async () => [])).rejects.toThrow("1 answers were due, 0 came");
});
