import type { Hono } from "hono";
import { addConsole, type Site } from "../http/console.js";
import { createReadinessCheck } from "../http/readiness.js";
import { addRecordPages } from "../http/recordPages/addRecordPages.js";
import type { Env } from "../http/route.js";
import { addRoutes, createRouter, type RouterContext } from "../http/router.js";
import { type RoutesContext, routes } from "../http/routes.js";
import { addSharePages } from "../http/share/addSharePages.js";

export interface AppContext extends RoutesContext, RouterContext {}

/** Serves every route, and the console beside them. Everything a request needs is in `context`; nothing is global. */
export function createApp(context: AppContext, site?: Site): Hono<Env> {
  const app = createRouter(context);
  addRoutes(app, routes, context, {
    operations: routes.flatMap(({ operations }) => operations),
    checkReadiness: createReadinessCheck(context),
    callRoute: async (request, c) => app.fetch(request, c.env),
  });
  const page = site?.files.get("/index.html");
  // Before the console, which has a page without a preview at every address of its own.
  if (page) {
    addSharePages(app, context, page.bytes.toString("utf8"));
    addRecordPages(app, context);
  }
  if (site) addConsole(app, site);
  return app;
}
