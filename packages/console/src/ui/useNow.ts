import { useEffect, useState } from "react";

/** The time in milliseconds, moving on while somebody looks. */
export function useNow(everyMs = 1_000): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
