import { AssayError } from "@assay/protocol";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { toAssayError, toProblemResponse } from "./http/errors.js";
import { createReadinessCheck } from "./http/readiness.js";
import { newRequestId } from "./http/requestId.js";
import { buildCatalog } from "./http/routes/catalog.js";
import { type EvidenceContext, evidence } from "./http/routes/evidence.js";
import { health } from "./http/routes/health.js";
import { type InvokeContext, invoke } from "./http/routes/invoke.js";
import { checkpoint, logConsistency, logProof } from "./http/routes/log.js";
import { quote } from "./http/routes/quotes.js";
import { describeService } from "./http/routes/serviceDescription.js";
import type { LogContext } from "./log/signedHeads.js";
import { getReceipt } from "./payments/receipts.js";

/** What a browser page may read of our answers. */
export const EXPOSED_HEADERS = [
  "payment-required",
  "payment-response",
  "retry-after",
  "x-request-id",
  "deprecation",
  "link",
];

type Env = { Variables: { requestId: string } };

export interface AppContext extends InvokeContext, EvidenceContext, LogContext {}

/** Wires routes to the domain. Everything a request needs is in `context`; nothing is global. */
export function createApp(context: AppContext): Hono<Env> {
  const app = new Hono<Env>();
  const readiness = createReadinessCheck(context);

  app.use(
    cors({
      origin: "*",
      allowHeaders: [
        "content-type",
        "payment-signature",
        "x-agent-wallet",
        "x-agent-signature",
        "x-agent-timestamp",
        "x-agent-nonce",
        "x-service-evidence-installation",
      ],
      exposeHeaders: EXPOSED_HEADERS,
    }),
  );
  app.use(async (c, next) => {
    const startedAt = performance.now();
    const requestId = newRequestId();
    c.set("requestId", requestId);
    await next();
    c.header("x-request-id", requestId);
    const durationMs = performance.now() - startedAt;
    const route = c.req.routePath;
    context.metrics.httpSeconds.observe({ route, status: String(c.res.status) }, durationMs / 1000);
    context.logger.debug(
      {
        requestId,
        method: c.req.method,
        route,
        capability: c.req.param("id"),
        status: c.res.status,
        durationMs: Math.round(durationMs * 10) / 10,
      },
      "request",
    );
  });

  const problem = (c: Context<Env>, thrown: unknown) => {
    const error = toAssayError(thrown);
    if (error.code === "internal_error")
      context.logger.error({ err: error.cause, requestId: c.get("requestId") }, "request failed");
    const { status, headers, body } = toProblemResponse(error, c.get("requestId"));
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return c.body(JSON.stringify(body), status as ContentfulStatusCode);
  };
  app.onError((error, c) => problem(c, error));
  app.notFound((c) =>
    problem(c, new AssayError("not_found", "No such route; /api/v1/capabilities lists what is sold.")),
  );

  const get = (path: string, handler: (c: Context<Env>) => Promise<Response>) => {
    app.get(path, handler);
    app.all(path, (c) => {
      c.header("allow", "GET");
      return problem(c, new AssayError("method_not_allowed", `${path} takes GET.`));
    });
  };
  get("/api/v1/capabilities", async (c) => c.json(buildCatalog(context, await readiness())));
  get("/api/v1/health", (c) => health(context, readiness, c));
  get("/api/v1/quotes", async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await quote(context, c));
  });
  get("/api/v1/evidence/:artifactId", async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await evidence(context, c));
  });
  get("/api/v1/receipts/:invocationId", async (c) => {
    const id = c.req.param("invocationId") ?? "";
    // PostgreSQL refuses text with a NUL; no id has one.
    if (id.includes("\0")) throw new AssayError("not_found", "No invocation has that id.");
    return c.json(await getReceipt(context, id));
  });
  get("/api/v1/log/checkpoint", (c) => checkpoint(context, c));
  get("/api/v1/log/proof/:index", async (c) => c.json(await logProof(context, c)));
  get("/api/v1/log/consistency", async (c) => c.json(await logConsistency(context, c)));
  get("/.well-known/assay.json", async (c) => c.json(describeService(context)));
  get("/metrics", async (c) => {
    context.metrics.headBlock.set(context.chain.findHead()?.header.number ?? 0);
    return c.body(await context.metrics.registry.metrics(), 200, {
      "content-type": context.metrics.registry.contentType,
    });
  });
  app.all("/api/v1/capabilities/:id/invoke", (c) => invoke(context, c));
  return app;
}
