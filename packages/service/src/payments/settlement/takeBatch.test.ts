import { expect, test } from "vitest";
import { createBatchSize, MAX_BATCH } from "./takeBatch.js";

test("what a node called too big is halved, one alone stays one, and each that fits lets one more in, up to the usual", () => {
  const size = createBatchSize();
  expect(size.most()).toBe(MAX_BATCH);
  size.noteTooBig(MAX_BATCH);
  expect(size.most()).toBe(30);
  size.noteTooBig(1);
  expect(size.most()).toBe(1);
  // One that was not full says nothing about larger ones.
  size.noteTaken(1);
  size.noteTaken(1);
  expect(size.most()).toBe(2);
  for (let taken = 2; taken <= MAX_BATCH + 1; taken++) size.noteTaken(taken);
  expect(size.most()).toBe(MAX_BATCH);
});

test("the first waits a moment for others only where several came together last time", () => {
  const size = createBatchSize();
  expect(size.gatherMs()).toBe(0);
  size.noteTaken(4);
  expect(size.gatherMs()).toBeGreaterThan(0);
  size.noteTaken(1);
  expect(size.gatherMs()).toBe(0);
});
