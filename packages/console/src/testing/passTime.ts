import type { Locator, Page } from "playwright-core";

/** Lets a test move the page's clock (`passTime`); to be called before the page is opened. */
export const installClock = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    interface Timer {
      dueMs: number;
      run(): void;
    }
    const timers = new Map<number, Timer>();
    const now = Date.now;
    let aheadMs = 0;
    Date.now = () => now() + aheadMs;
    const { setTimeout: startTimeout, setInterval: startInterval, clearTimeout: stop } = window;
    const forget = (id: number | undefined) => {
      if (id !== undefined) timers.delete(id);
      stop(id);
    };
    const start =
      (isRepeated: boolean) =>
      (handler: TimerHandler, ms = 0, ...values: unknown[]) => {
        if (typeof handler !== "function") throw new Error("a timer runs a function");
        const tick = () => {
          const timer = timers.get(id);
          if (isRepeated && timer) timer.dueMs = Date.now() + ms;
          else forget(id);
          handler(...values);
        };
        const id: number = (isRepeated ? startInterval : startTimeout)(tick, ms);
        timers.set(id, { dueMs: Date.now() + ms, run: tick });
        return id;
      };
    Object.assign(window, {
      setTimeout: start(false),
      setInterval: start(true),
      clearTimeout: forget,
      clearInterval: forget,
      passTime(ms: number, isClockMoved: boolean) {
        if (isClockMoved) aheadMs += ms;
        else for (const timer of timers.values()) timer.dueMs -= ms;
        const due = [...timers.values()].filter(({ dueMs }) => dueMs <= Date.now());
        for (const timer of due) timer.run();
      },
    });
  });

/** Lets the page's requests run out of time by the same clock. Others have their time by the real one, however fast it passes. */
export const timeRequests = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController();
      const end = () => controller.abort(new DOMException("signal timed out", "TimeoutError"));
      setTimeout(end, ms);
      return controller.signal;
    };
  });

interface WithClock {
  passTime(ms: number, isClockMoved: boolean): void;
}

/** Lets this much time pass on the page at once: its clock moves on for good, and each timer that is due by then runs once. */
export const passTime = (page: Page, ms: number): Promise<void> =>
  page.evaluate((passed) => (window as unknown as WithClock).passTime(passed, true), ms);

/** Runs the page's timers that are due within this time. Its clock keeps the time, by which prices and answers end. */
const runTimers = (page: Page, ms: number): Promise<void> =>
  page.evaluate((passed) => (window as unknown as WithClock).passTime(passed, false), ms);

/** Lets the page's timers run early until this is shown, or gone. */
export async function hurryUntil(
  page: Page,
  part: Locator,
  state: "visible" | "detached" = "visible",
): Promise<void> {
  const isThere = part.waitFor({ state }).then(() => true);
  const pause = () => new Promise<false>((resume) => setTimeout(() => resume(false), 100));
  do await runTimers(page, 1_000);
  while (!(await Promise.race([isThere, pause()])));
}

/** How long the console keeps what it has fetched and no longer shows (`gcTime` of its queries). */
const KEPT_MS = 300_000;

/** Lets the page forget what it has fetched and does not show, as if it had been left alone. */
export const forgetFetched = (page: Page): Promise<void> => runTimers(page, KEPT_MS);
