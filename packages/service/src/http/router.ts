import { AssayError } from "@assay/protocol";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { BaseContext } from "../base/context.js";
import type { Metrics } from "../base/metrics.js";
import { clientAddress, type ReadClientAddress } from "./clientAddress.js";
import { toAssayError, toProblemResponse } from "./errors.js";
import { newRequestId } from "./requestId.js";

/** What a browser page may read of our answers. */
export const EXPOSED_HEADERS = [
  "payment-required",
  "payment-response",
  "retry-after",
  "x-request-id",
  "deprecation",
  "link",
  "etag",
];

/** What a browser page may send. */
const ALLOWED_HEADERS = [
  "content-type",
  "payment-signature",
  // The official x402 client sends this one with a payment, though it is a response's.
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

/** A day; browsers keep it for less. */
const PREFLIGHT_SECONDS = 86_400;

export type Env = {
  Bindings: Partial<HttpBindings>;
  Variables: { requestId: string; clientAddress: string };
};
export type Handler = (c: Context<Env>) => Promise<Response>;

export interface RouterContext extends Pick<BaseContext, "limits" | "logger"> {
  readonly metrics: Metrics;
  readonly readClientAddress: ReadClientAddress;
}

export interface Router {
  readonly app: Hono<Env>;
  /** Answers these methods of a path and refuses the others by name; what answers GET answers HEAD. */
  only(path: string, handlers: { readonly GET?: Handler; readonly POST?: Handler }): void;
  get(path: string, handler: Handler): void;
  /** Free, and answered from the database: limited by address. */
  read(path: string, handler: Handler): void;
  /** Never stored. */
  post(path: string, handler: Handler): void;
}

/** What every route has in common: CORS, ids, metrics, problems, and which methods a path takes. */
export function createRouter(context: RouterContext): Router {
  const app = new Hono<Env>();
  app.use(
    cors({
      origin: "*",
      allowMethods: ["GET", "HEAD", "POST"],
      allowHeaders: ALLOWED_HEADERS,
      exposeHeaders: EXPOSED_HEADERS,
      maxAge: PREFLIGHT_SECONDS,
    }),
  );
  app.use(observe(context));
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
  const only: Router["only"] = (path, handlers) => {
    const methods = Object.keys(handlers).flatMap((method) =>
      method === "GET" ? ["GET", "HEAD"] : [method],
    );
    for (const [method, handler] of Object.entries(handlers)) app.on(method, path, handler);
    app.all(path, (c) => {
      c.header("allow", methods.join(", "));
      return problem(c, new AssayError("method_not_allowed", `${path} takes ${methods.join(", ")}.`));
    });
  };
  const get: Router["get"] = (path, handler) => only(path, { GET: handler });
  return {
    app,
    only,
    get,
    read: (path, handler) =>
      get(path, async (c) => {
        await context.limits.consume("read", clientAddress(c));
        return handler(c);
      }),
    post: (path, handler) => only(path, { POST: unstored(handler) }),
  };
}

/** Names the request and its sender, and tells metrics and log how it went. */
function observe({ readClientAddress, metrics, logger }: RouterContext): MiddlewareHandler<Env> {
  return async (c, next) => {
    const startedAt = performance.now();
    const requestId = newRequestId();
    c.set("requestId", requestId);
    if (c.env?.incoming) c.set("clientAddress", readClientAddress(c.env.incoming));
    await next();
    c.header("x-request-id", requestId);
    const durationMs = performance.now() - startedAt;
    const route = c.req.routePath;
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

/** Of the moment, or somebody's own: no cache keeps it. */
export const unstored =
  (handler: Handler): Handler =>
  (c) => {
    c.header("cache-control", "no-store");
    return handler(c);
  };
