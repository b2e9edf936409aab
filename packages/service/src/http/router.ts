import { AssayError } from "@assay/protocol";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { BaseContext } from "../base/context.js";
import type { Metrics } from "../base/metrics.js";
import { span } from "../base/tracing.js";
import { clientAddress, type ReadClientAddress } from "./clientAddress.js";
import { toAssayError, toProblemResponse } from "./errors.js";
import { newRequestId } from "./requestId.js";
import type { Env, Handler, Route, SharedParts } from "./route.js";

/** Headers of our answers that a browser page may read. */
export const EXPOSED_HEADERS = [
  "payment-required",
  "payment-response",
  "retry-after",
  "x-request-id",
  "deprecation",
  "link",
  "etag",
];

/** Headers that a browser page may send. */
const ALLOWED_HEADERS = [
  "content-type",
  "payment-signature",
  // The official x402 client sends this one with a payment, although it belongs to responses.
  "access-control-expose-headers",
  "if-none-match",
  "mcp-protocol-version",
  "mcp-session-id",
  "last-event-id",
  "x-agent-wallet",
  "x-agent-signature",
  "x-agent-timestamp",
  "x-agent-nonce",
  "x-service-evidence-installation",
];

/** A day; browsers keep a preflight answer for less. */
const PREFLIGHT_SECONDS = 86_400;

export interface RouterContext extends Pick<BaseContext, "limits" | "logger"> {
  readonly metrics: Metrics;
  readonly readClientAddress: ReadClientAddress;
}

/** An app with what every route has in common: CORS, ids, metrics and problems. */
export function createRouter(context: RouterContext): Hono<Env> {
  const app = new Hono<Env>();
  const answerPreflight = cors({
    origin: "*",
    allowMethods: ["GET", "HEAD", "POST"],
    allowHeaders: ALLOWED_HEADERS,
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
  app.use((c, next) => (c.req.method === "OPTIONS" ? answerPreflight(c, next) : next()));
  app.use(observe(context));
  const problem = (c: Context<Env>, thrown: unknown) => {
    const error = toAssayError(thrown);
    if (error.code === "internal_error")
      context.logger.error({ err: error.cause, requestId: c.get("requestId") }, "request failed");
    context.metrics.problems.inc({ code: error.code });
    const { status, headers, body } = toProblemResponse(error, c.get("requestId"));
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return c.body(JSON.stringify(body), status as ContentfulStatusCode);
  };
  app.onError((error, c) => problem(c, error));
  app.notFound((c) =>
    problem(c, new AssayError("not_found", "No such route; /api/v1/capabilities lists what is sold.")),
  );
  return app;
}

/** Lets the app answer these routes. Other methods of a path are refused by name; what answers GET answers HEAD. */
export function addRoutes<C extends RouterContext>(
  app: Hono<Env>,
  routes: readonly Route<C>[],
  context: C,
  parts: SharedParts,
): void {
  const methodsByPath = new Map<string, string[]>();
  for (const route of routes) {
    const handler = prepareHandler(route, context, parts);
    const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    if (route.method === "any") {
      app.all(path, handler);
      continue;
    }
    const method = route.method.toUpperCase();
    app.on(method, path, handler);
    const methods = methodsByPath.get(path) ?? [];
    methodsByPath.set(path, [...methods, ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
  }
  for (const [path, methods] of methodsByPath)
    app.all(path, (c) => {
      c.header("allow", methods.join(", "));
      throw new AssayError("method_not_allowed", `${path} takes ${methods.join(", ")}.`);
    });
}

/** The route's handler behind what the route declares: its budget, and that no cache keeps its answers. */
function prepareHandler<C extends RouterContext>(
  { budget, operations, createHandler }: Route<C>,
  context: C,
  parts: SharedParts,
): Handler {
  const handler = createHandler(context, parts);
  const noStore = operations.some((operation) => operation.noStore);
  return async (c) => {
    if (budget) await context.limits.consume(budget, clientAddress(c));
    if (noStore) c.header("cache-control", "no-store");
    return handler(c);
  };
}

const exposedHeaders = EXPOSED_HEADERS.join(",");

/**
 * Names the request and its sender, and reports to metrics and log how it ended. Headers that every answer has are set before
 * the handler makes its response: to add a header later, Hono copies the response with its body.
 */
function observe({ readClientAddress, metrics, logger }: RouterContext): MiddlewareHandler<Env> {
  return async (c, next) => {
    const startedAt = performance.now();
    const requestId = newRequestId();
    c.set("requestId", requestId);
    if (c.env?.incoming) c.set("clientAddress", readClientAddress(c.env.incoming));
    c.header("access-control-allow-origin", "*");
    c.header("access-control-expose-headers", exposedHeaders);
    c.header("x-request-id", requestId);
    const route = await span("request", { "http.request.method": c.req.method }, async (add) => {
      await next();
      add({
        "http.route": c.req.routePath,
        "http.response.status_code": c.res.status,
        "assay.request": requestId,
      });
      return c.req.routePath;
    });
    const durationMs = performance.now() - startedAt;
    metrics.httpSeconds.observe({ route, status: String(c.res.status) }, durationMs / 1000);
    logger.debug(
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
  };
}
