import type { RobotsRules } from "./robots.js";

const KEPT_MS = 3_600_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** A rough figure for an object and a string, without the pattern's characters. */
const RULE_OVERHEAD_BYTES = 100;

export interface RobotsCache {
  find(origin: string): RobotsRules | undefined;
  remember(origin: string, rules: RobotsRules): void;
}

/** Keeps rules by origin for an hour; the oldest ones are dropped first. */
export function createRobotsCache(now: () => number = Date.now): RobotsCache {
  const kept = new Map<string, { rules: RobotsRules; bytes: number; untilMs: number }>();
  let totalBytes = 0;

  function forget(origin: string): void {
    totalBytes -= kept.get(origin)?.bytes ?? 0;
    kept.delete(origin);
  }

  return {
    find(origin) {
      const entry = kept.get(origin);
      return entry && entry.untilMs > now() ? entry.rules : undefined;
    },
    remember(origin, rules) {
      forget(origin);
      const patterns = rules.reduce((sum, { pattern }) => sum + pattern.length + RULE_OVERHEAD_BYTES, 0);
      const bytes = origin.length + RULE_OVERHEAD_BYTES + patterns;
      kept.set(origin, { rules, bytes, untilMs: now() + KEPT_MS });
      totalBytes += bytes;
      for (const oldest of kept.keys()) {
        if (totalBytes <= MAX_BYTES) break;
        forget(oldest);
      }
    },
  };
}
