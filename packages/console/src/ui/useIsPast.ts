import { useEffect, useState } from "react";

const CHECK_EVERY_MS = 500;

/** Whether a time has passed. Checked periodically, because timers stand still while a machine sleeps. */
export function useIsPast(atMs: number | null): boolean {
  const [isPast, setIsPast] = useState(() => hasPassed(atMs));
  useEffect(() => {
    const update = () => setIsPast(hasPassed(atMs));
    update();
    const timer = setInterval(update, CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, [atMs]);
  return isPast;
}

const hasPassed = (atMs: number | null) => atMs !== null && Date.now() >= atMs;
