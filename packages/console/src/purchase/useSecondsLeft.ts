import { useNow } from "../ui/useNow.js";

/** Whole seconds until a time, 0 once it has passed; undefined without one. */
export function useSecondsLeft(endsAt: string | undefined): number | undefined {
  const nowMs = useNow(500);
  return endsAt === undefined ? undefined : Math.max(0, Math.floor((Date.parse(endsAt) - nowMs) / 1_000));
}
