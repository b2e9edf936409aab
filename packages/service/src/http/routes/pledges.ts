import { findCapabilityByAnyName } from "@assay/capabilities";
import { pledgeRequestSchema } from "@assay/protocol";
import type { Context } from "hono";
import type { BaseContext } from "../../base/context.js";
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
  // Calls under a deprecated name settle under the new one.
  const built = findCapabilityByAnyName(body.capability);
  return pledge(context, { ...body, capability: built?.id ?? body.capability }, signed, built !== undefined);
}
