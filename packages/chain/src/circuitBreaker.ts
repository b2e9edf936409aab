/** Decides whether a node that has been failing may be asked again. */
export interface CircuitBreaker {
  /** Whether the caller may ask now. After a cool-down exactly one caller may, as a probe. */
  tryEnter(): boolean;
  succeed(): void;
  fail(): void;
  /** The node works but asked for a pause. */
  throttle(ms: number): void;
  throttledForMs(): number;
}

// One reset keep-alive socket is ordinary; three failures without an answer in between are not.
const FAILURES_TO_OPEN = 3;
const FIRST_COOL_DOWN_MS = 500;
// The head follower keeps probing, so this is also how late the return of a node may be noticed.
const MAX_COOL_DOWN_MS = 8_000;

export function createCircuitBreaker(options: {
  now: () => number;
  onOpen?: (coolDownMs: number) => void;
  onClose?: () => void;
}): CircuitBreaker {
  const { now } = options;
  let failures = 0;
  let coolDownMs = FIRST_COOL_DOWN_MS;
  let openUntil: number | undefined;
  let probing = false;
  let throttledUntil = 0;

  function open(): void {
    openUntil = now() + coolDownMs;
    probing = false;
    options.onOpen?.(coolDownMs);
  }

  return {
    tryEnter() {
      if (now() < throttledUntil) return false;
      if (openUntil === undefined) return true;
      if (probing || now() < openUntil) return false;
      probing = true;
      return true;
    },
    succeed() {
      failures = 0;
      coolDownMs = FIRST_COOL_DOWN_MS;
      if (openUntil === undefined) return;
      openUntil = undefined;
      probing = false;
      options.onClose?.();
    },
    fail() {
      if (openUntil === undefined) {
        failures += 1;
        if (failures >= FAILURES_TO_OPEN) open();
      } else if (probing) {
        coolDownMs = Math.min(coolDownMs * 2, MAX_COOL_DOWN_MS);
        open();
      }
      // A request that was already under way when the breaker opened adds no information by failing.
    },
    throttle(ms) {
      throttledUntil = Math.max(throttledUntil, now() + ms);
    },
    throttledForMs: () => Math.max(0, throttledUntil - now()),
  };
}
