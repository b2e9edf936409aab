import { AssayError } from "@assay/protocol";
import type { Hono } from "hono";
import { addConsole, type Site } from "../http/console.js";
import type { OwnHostCheck } from "../http/ownHost.js";
import { readBody } from "../http/readInput.js";
import { createReadinessCheck } from "../http/readiness.js";
import { createRouter, type Env, type RouterContext, unstored } from "../http/router.js";
import { bounties } from "../http/routes/bounties.js";
import { buildCatalog } from "../http/routes/catalog.js";
import { challenges } from "../http/routes/challenges.js";
import { claim } from "../http/routes/claim.js";
import { claimReceipt } from "../http/routes/claimReceipt.js";
import { claims } from "../http/routes/claims.js";
import { decisions } from "../http/routes/decisions.js";
import { createDocumentRoutes } from "../http/routes/documents.js";
import { type EvidenceContext, evidence } from "../http/routes/evidence.js";
import { health } from "../http/routes/health.js";
import { type InvokeContext, invoke } from "../http/routes/invoke.js";
import { checkpoint, logConsistency, logProof } from "../http/routes/log.js";
import { openClaim } from "../http/routes/openClaim.js";
import { opportunities } from "../http/routes/opportunities.js";
import { outcomes } from "../http/routes/outcomes.js";
import { pledges } from "../http/routes/pledges.js";
import { publish } from "../http/routes/publish.js";
import { publisher } from "../http/routes/publishers.js";
import { type QuoteContext, quote } from "../http/routes/quotes.js";
import { createStatsRoute } from "../http/routes/stats.js";
import type { LogContext } from "../log/signedHeads.js";
import { answerMcp } from "../mcp/answerMcp.js";
import { getReceipt } from "../payments/receipts.js";

export interface AppContext extends InvokeContext, QuoteContext, EvidenceContext, LogContext, RouterContext {
  readonly isOwnHost: OwnHostCheck;
}

/** Wires routes to the domain. Everything a request needs is in `context`; nothing is global. */
export function createApp(context: AppContext, site?: Site): Hono<Env> {
  const { app, only, get, read, post } = createRouter(context);
  const readiness = createReadinessCheck(context);
  get("/api/v1/capabilities", async (c) => c.json(buildCatalog(context, await readiness())));
  get("/api/v1/capabilities/stats", createStatsRoute(context));
  get("/api/v1/health", (c) => health(context, readiness, c));
  get(
    "/api/v1/quotes",
    unstored(async (c) => c.json(await quote(context, c))),
  );
  get(
    "/api/v1/capabilities/web.compile/quote",
    unstored(async (c) => c.json(await quote(context, c, "web.compile"))),
  );
  read(
    "/api/v1/evidence/:artifactId",
    unstored(async (c) => c.json(await evidence(context, c))),
  );
  read("/api/v1/publishers/:wallet", async (c) => c.json(await publisher(context, c)));
  post("/api/v1/artifacts/publish", async (c) => c.json(await publish(context, c), 201));
  post("/api/v1/demand-pledges", async (c) => {
    const { isNew, pledge } = await pledges(context, c);
    return c.json(pledge, isNew ? 201 : 200);
  });
  post("/api/v1/outcomes", async (c) => {
    const { isNew, outcome } = await outcomes(context, c);
    return c.json(outcome, isNew ? 201 : 200);
  });
  post("/api/v1/obligations/decisions", async (c) => {
    const { isNew, decision } = await decisions(context, c);
    return c.json(decision, isNew ? 201 : 200);
  });
  only("/api/v1/claims", {
    GET: unstored(async (c) => c.json(await claims(context, c))),
    POST: unstored((c) => openClaim(context, c)),
  });
  read(
    "/api/v1/claims/:claimId",
    unstored(async (c) => c.json(await claim(context, c))),
  );
  read("/api/v1/claims/:claimId/receipt", (c) => claimReceipt(context, c));
  post("/api/v1/claims/:claimId/challenges", async (c) => {
    const answer = await challenges(context, c);
    return c.json(answer, answer.resolution === "counterexample_valid" ? 201 : 200);
  });
  read("/api/v1/receipts/:invocationId", async (c) => {
    const id = c.req.param("invocationId") ?? "";
    // PostgreSQL refuses text with a NUL; no id has one.
    if (id.includes("\0")) throw new AssayError("not_found", "No invocation has that id.");
    return c.json(await getReceipt(context, id));
  });
  read("/api/v1/log/checkpoint", (c) => checkpoint(context, c));
  read("/api/v1/log/proof/:index", async (c) => c.json(await logProof(context, c)));
  read("/api/v1/log/consistency", async (c) => c.json(await logConsistency(context, c)));
  read(
    "/api/v1/bounties",
    unstored(async (c) => c.json(await bounties(context, c))),
  );
  read("/api/v1/opportunities", async (c) => c.json(await opportunities(context, c)));
  only("/api/mcp", {
    POST: unstored(async (c) => {
      // MCP (transports, security warning): a server on this machine must not answer pages under a rebound name.
      if (!context.isOwnHost(c.req.header("host")))
        throw new AssayError("foreign_host", "This service does not answer to that Host.");
      return answerMcp(context, {
        request: c.req.raw,
        body: (await readBody(c)).toString("utf8"),
        callRoute: async (request) => app.fetch(request, c.env),
      });
    }),
  });
  const documents = createDocumentRoutes(context);
  get("/.well-known/assay.json", documents.service);
  get("/.well-known/x402", documents.x402Manifest);
  get("/openapi.json", documents.openApi);
  get("/llms.txt", documents.llmsText);
  get("/metrics", async (c) => {
    context.metrics.headBlock.set(context.chain.findHead()?.header.number ?? 0);
    return c.body(await context.metrics.registry.metrics(), 200, {
      "content-type": context.metrics.registry.contentType,
    });
  });
  app.all("/api/v1/capabilities/:id/invoke", (c) => invoke(context, c));
  if (site) addConsole(app, site);
  return app;
}
