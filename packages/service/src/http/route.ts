import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { RateLimited } from "../store/rateLimits.js";
import type { Operation } from "./openapi/operation.js";
import type { Readiness } from "./readiness.js";

export type Env = {
  Bindings: Partial<HttpBindings>;
  Variables: { requestId: string; clientAddress: string };
};
export type Handler = (c: Context<Env>) => Promise<Response>;

/** The parts of the app that more than one route needs. */
export interface SharedParts {
  /** Every operation of the app, as the document lists them. */
  readonly operations: readonly Operation[];
  checkReadiness(): Promise<Readiness>;
  /** Answers a request as if the sender of `c` had sent it over HTTP. */
  callRoute(request: Request, c: Context<Env>): Promise<Response>;
}

/** One path of the router: what the document says about it, and what answers it. */
export interface Route<C> {
  /** With parameters in braces. */
  readonly path: string;
  /** `any` where the handler itself decides which method a path takes. */
  readonly method: "get" | "post" | "any";
  /** One for each path and method that a caller may use. */
  readonly operations: readonly Operation[];
  /** Counted for the client's address before the handler runs. */
  readonly budget?: Extract<RateLimited, "read" | "stats" | "claimFeed">;
  /** Called once per app, so that a handler may keep what it has read. */
  readonly createHandler: (context: C, parts: SharedParts) => Handler;
}

/** A route that answers one operation. */
export function defineRoute<C>({
  operation,
  ...route
}: Pick<Route<C>, "budget" | "createHandler"> & { readonly operation: Operation }): Route<C> {
  return { path: operation.path, method: operation.method, operations: [operation], ...route };
}
