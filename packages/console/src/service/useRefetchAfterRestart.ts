import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { largestLagBlocks, useHealth } from "./assay.js";

/** Health is how a restart is noticed; a price belongs to one purchase and has its own rules. */
const NOT_REFETCHED: ReadonlySet<unknown> = new Set(["health", "price"]);

/** Fetches everything on the screen again once the service is back, or once its chain has started over. */
export function useRefetchAfterRestart(): void {
  const queries = useQueryClient();
  const { data, error } = useHealth();
  const head = data?.headBlock ?? null;
  const lagBlocks = data ? largestLagBlocks(data) : 0;
  const isDown = error !== null;
  const last = useRef({ head, isDown });
  useEffect(() => {
    const before = last.current;
    last.current = { head: head ?? before.head, isDown };
    const isBack = before.isDown && !isDown;
    const isOther = head !== null && before.head !== null && head + lagBlocks < before.head;
    if (isBack || isOther)
      void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => !NOT_REFETCHED.has(name) });
  }, [queries, head, lagBlocks, isDown]);
}
