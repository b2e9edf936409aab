import { pledgeRequestSchema, TX_PREFLIGHT } from "@assay/protocol";
import type { Context } from "hono";
import { findCapability } from "../../capabilities/registry.js";
import type { BaseContext } from "../../context.js";
import { pledge, type RecordedPledge } from "../../market/pledge.js";
import { readSignedRequest } from "../signedRequest.js";

/** POST /api/v1/demand-pledges: a wallet says what it would pay for. */
export async function pledges(context: BaseContext, c: Context): Promise<RecordedPledge> {
  const { body, signed } = await readSignedRequest(context, c, {
    schema: pledgeRequestSchema,
    action: "demand_pledge",
    resourceOf: ({ capability }) => capability,
    budget: "pledge",
  });
  // Calls under the old name settle under the new one.
  const capability = body.capability === TX_PREFLIGHT ? "transaction.intent.guard" : body.capability;
  const built = findCapability(capability) !== undefined;
  return pledge(context, { ...body, capability }, signed, built);
}
