import { type Health, healthSchema } from "@assay/protocol";
import type { BaseContext } from "../../base/context.js";
import { defineRoute } from "../route.js";

const RETRY_AFTER_SECONDS = 2;

export const health = defineRoute({
  operation: {
    id: "getHealth",
    method: "get",
    path: "/api/v1/health",
    tag: "discovery",
    summary: "Whether every dependency answers now",
    description: "Each dependency is tried for real, at most once a second.",
    noStore: true,
    answers: {
      200: { description: "All of them do.", schema: healthSchema },
      503: {
        description: "A dependency named in the body does not.",
        schema: healthSchema,
        headers: ["Retry-After"],
      },
    },
    problems: [],
  },
  createHandler:
    (context: BaseContext, { checkReadiness }) =>
    async (c) => {
      const { ok, dependencies } = await checkReadiness();
      const head = context.chain.findHead();
      const body: Health = {
        status: ok ? "ready" : "unavailable",
        dependencies,
        headBlock: head?.header.number ?? null,
        headAgeMs: head ? Math.max(0, Date.now() - head.header.timestamp * 1000) : null,
        blockTimeMs: head ? Math.round(context.chain.blockTimeMs()) : null,
      };
      if (!ok) c.header("retry-after", String(RETRY_AFTER_SECONDS));
      return c.json(body, ok ? 200 : 503);
    },
});
