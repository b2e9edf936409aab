import { pledgeRequestSchema } from "@assay/protocol";
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
  return pledge(context, body, signed, findCapability(body.capability) !== undefined);
}
