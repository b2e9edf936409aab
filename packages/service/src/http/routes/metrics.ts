import { z } from "zod";
import type { BaseContext } from "../../base/context.js";
import type { Metrics } from "../../base/metrics.js";
import { defineRoute } from "../route.js";

export const metrics = defineRoute({
  operation: {
    id: "getMetrics",
    method: "get",
    path: "/metrics",
    tag: "service",
    summary: "Metrics for Prometheus",
    description: "Of this process alone.",
    answers: {
      200: {
        description: "The text format; no address, id or input is in it.",
        schema: z.string(),
        mediaType: "text/plain",
      },
    },
    problems: [],
  },
  createHandler: (context: BaseContext & { readonly metrics: Metrics }) => async (c) => {
    const { headBlock, registry } = context.metrics;
    headBlock.set(context.chain.findHead()?.header.number ?? 0);
    return c.body(await registry.metrics(), 200, { "content-type": registry.contentType });
  },
});
