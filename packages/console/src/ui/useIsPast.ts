import { useEffect, useState } from "react";

const LOOK_EVERY_MS = 500;

/** Whether a time has passed. Looked up again and again, because timers stand still while a machine sleeps. */
export function useIsPast(atMs: number | null): boolean {
  const [isPast, setIsPast] = useState(() => hasPassed(atMs));
  useEffect(() => {
    const look = () => setIsPast(hasPassed(atMs));
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [atMs]);
  return isPast;
}

const hasPassed = (atMs: number | null) => atMs !== null && Date.now() >= atMs;
