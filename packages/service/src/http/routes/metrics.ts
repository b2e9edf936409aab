import { createHash, timingSafeEqual } from "node:crypto";
import { AssayError } from "@assay/protocol";
import type { Context } from "hono";
import { z } from "zod";
import type { BaseContext } from "../../base/context.js";
import type { Metrics } from "../../base/metrics.js";
import type { Facilitator } from "../../payments/facilitator.js";
import { setDatabaseGauges, setSettlerGauges } from "../../payments/watchedFigures.js";
import { clientAddress } from "../clientAddress.js";
import { defineRoute } from "../route.js";

interface MetricsContext extends BaseContext {
  readonly metrics: Metrics;
  readonly facilitator: Facilitator;
  readonly metricsToken: string | undefined;
}

/** Written by proxies. A proxy on this machine brings callers from elsewhere, also one that nobody named as trusted. */
const FORWARDING_HEADERS = ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"];

function mayRead(token: string | undefined, c: Context): boolean {
  if (token !== undefined) return isSame(c.req.header("authorization") ?? "", `Bearer ${token}`);
  const address = clientAddress(c);
  const isLocal = address === "0:0:0:0::/64" || address.startsWith("127.");
  return isLocal && FORWARDING_HEADERS.every((name) => c.req.header(name) === undefined);
}

const hashOf = (text: string) => createHash("sha256").update(text).digest();
const isSame = (given: string, expected: string) => timingSafeEqual(hashOf(given), hashOf(expected));

export const metrics = defineRoute({
  operation: {
    id: "getMetrics",
    method: "get",
    path: "/metrics",
    tag: "service",
    summary: "Metrics for Prometheus",
    description:
      "Of this process, or of all workers of one supervisor. For callers on the same machine, or with METRICS_TOKEN for those who send it as a bearer token.",
    headers: { authorization: z.string().optional().describe("`Bearer` and the operator's token") },
    answers: {
      200: {
        description: "The text format; no address, id or input is in it.",
        schema: z.string(),
        mediaType: "text/plain",
      },
    },
    problems: ["not_found"],
  },
  createHandler: (context: MetricsContext) => async (c) => {
    if (!mayRead(context.metricsToken, c))
      throw new AssayError("not_found", "Metrics are for the operator; see METRICS_TOKEN.");
    const { headBlock, nodeAbility, registry, watched } = context.metrics;
    const head = context.chain.findHead()?.header;
    headBlock.set(head?.number ?? 0);
    if (head) watched.headAge.set(Math.max(0, Date.now() / 1000 - head.timestamp));
    for (const [i, { node: _, failures: __, ...abilities }] of context.chain.listNodes().entries())
      for (const [ability, value] of Object.entries(abilities))
        if (value !== undefined)
          nodeAbility.set(
            { node: String(i + 1), ability },
            value === null || value === false ? -1 : Number(value),
          );
    // What cannot be read now is absent, and the rest is not held back: an outage is when it is needed.
    await Promise.allSettled([
      setDatabaseGauges(context.database, watched),
      setSettlerGauges(context.facilitator, watched),
    ]);
    const text = await context.metrics.write();
    watched.forget();
    return c.body(text, 200, { "content-type": registry.contentType });
  },
});
