import { z } from "zod";
import { defineRoute } from "../route.js";

/** Asks nothing and waits for nothing: a process that cannot answer this has to be replaced, whatever it depends on. */
export const liveness = defineRoute({
  operation: {
    id: "getLiveness",
    method: "get",
    path: "/api/v1/live",
    tag: "discovery",
    summary: "Whether this process answers at all",
    description: "For supervisors. Whether it can serve callers is `/api/v1/health`.",
    noStore: true,
    answers: { 200: { description: "It does.", schema: z.object({ status: z.literal("alive") }) } },
    problems: [],
  },
  createHandler: () => async (c) => c.json({ status: "alive" as const }),
});
