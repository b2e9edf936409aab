import { vi } from "vitest";

/** That of the real clock. */
const startTimer = setTimeout;

/**
 * Runs `work` on a clock that jumps to the next timer, so that pauses between attempts take no time. What really takes
 * time, such as an answer from a server, still does, and must not be given up after a timer of this process.
 */
export async function skipWaits<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  let isDone = false;
  try {
    const running = work().finally(() => {
      isDone = true;
    });
    // A failure is the caller's, who awaits it below.
    running.catch(() => undefined);
    while (!isDone) {
      // Whatever does not wait for a timer goes on meanwhile.
      await new Promise((resume) => startTimer(resume, 1));
      await vi.advanceTimersToNextTimerAsync();
    }
    return await running;
  } finally {
    vi.useRealTimers();
  }
}
