import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { LARGEST_LAG_BLOCKS, useHealth } from "./assay.js";

/** Health tells of it, and a price belongs to one purchase and is asked for by its own rules. */
const LEFT_ALONE: ReadonlySet<unknown> = new Set(["health", "price"]);

/** Asks for everything on the screen again once the service has come back, or its chain begins anew. */
export function useNewWorld(): void {
  const queries = useQueryClient();
  const { data, error } = useHealth();
  const head = data?.headBlock ?? null;
  const isDown = error !== null;
  const last = useRef({ head, isDown });
  useEffect(() => {
    const before = last.current;
    last.current = { head: head ?? before.head, isDown };
    const isBack = before.isDown && !isDown;
    const isOther = head !== null && before.head !== null && head + LARGEST_LAG_BLOCKS < before.head;
    if (isBack || isOther)
      void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => !LEFT_ALONE.has(name) });
  }, [queries, head, isDown]);
}
