import { expect, test } from "vitest";
import { createCircuitBreaker } from "./circuitBreaker.js";

function createClocked() {
  const clock = { now: 0 };
  const breaker = createCircuitBreaker({ now: () => clock.now });
  const failThrice = () => {
    for (let i = 0; i < 3; i += 1) breaker.fail();
  };
  return { clock, breaker, failThrice };
}

test("three failures in a row open it, an answer between them does not", () => {
  const { breaker, failThrice } = createClocked();
  breaker.fail();
  breaker.fail();
  breaker.succeed();
  breaker.fail();
  expect(breaker.tryEnter()).toBe(true);
  failThrice();
  expect(breaker.tryEnter()).toBe(false);
});

test("after the cool-down one caller probes, and its success lets all in", () => {
  const { clock, breaker, failThrice } = createClocked();
  failThrice();
  clock.now = 500;
  expect([breaker.tryEnter(), breaker.tryEnter()]).toEqual([true, false]);
  breaker.succeed();
  expect([breaker.tryEnter(), breaker.tryEnter()]).toEqual([true, true]);
});

test("each failed probe doubles the cool-down, up to eight seconds", () => {
  const { clock, breaker, failThrice } = createClocked();
  failThrice();
  const waits: number[] = [];
  for (let probe = 0; probe < 6; probe += 1) {
    const since = clock.now;
    while (!breaker.tryEnter()) clock.now += 100;
    waits.push(clock.now - since);
    breaker.fail();
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
});

test("failures that were under way when it opened do not lengthen the cool-down", () => {
  const { clock, breaker, failThrice } = createClocked();
  failThrice();
  failThrice();
  clock.now = 500;
  expect(breaker.tryEnter()).toBe(true);
});

test("a throttle holds for its time even when other answers arrive", () => {
  const { clock, breaker } = createClocked();
  breaker.throttle(2_000);
  breaker.succeed();
  expect(breaker.tryEnter()).toBe(false);
  clock.now = 2_000;
  expect(breaker.tryEnter()).toBe(true);
});
