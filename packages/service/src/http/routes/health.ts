import type { Health } from "@assay/protocol";
import type { Context } from "hono";
import type { BaseContext } from "../../base/context.js";
import type { Readiness } from "../readiness.js";

/** GET /api/v1/health: 200 when every dependency answered just now, 503 naming those that did not. */
export async function health(
  context: BaseContext,
  readiness: () => Promise<Readiness>,
  c: Context,
): Promise<Response> {
  const { ok, dependencies } = await readiness();
  const head = context.chain.findHead();
  const body: Health = {
    status: ok ? "ready" : "unavailable",
    dependencies,
    headBlock: head?.header.number ?? null,
    headAgeMs: head ? Math.max(0, Date.now() - head.header.timestamp * 1000) : null,
    blockTimeMs: head ? Math.round(context.chain.blockTimeMs()) : null,
  };
  if (!ok) c.header("retry-after", "2");
  c.header("cache-control", "no-store");
  return c.json(body, ok ? 200 : 503);
}
