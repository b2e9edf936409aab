import { findCapabilityByAnyName, proposedCapabilities } from "@assay/capabilities";
import { EXAMPLE_WALLET, pledgeRequestSchema, pledgeSchema } from "@assay/protocol";
import type { BaseContext } from "../../base/context.js";
import { pledge } from "../../market/pledge.js";
import { signedOperation } from "../openapi/signedOperation.js";
import { defineRoute } from "../route.js";
import { readSignedRequest } from "../signedRequest.js";

export const pledges = defineRoute({
  operation: {
    id: "pledgeDemand",
    path: "/api/v1/demand-pledges",
    tag: "market",
    summary: "State what the wallet would pay for, built or not",
    description: "Free and signed; earns bounded credit on the first settled call of that capability.",
    ...signedOperation("demand_pledge", "the normalized `capability`: trimmed, in lowercase", []),
    body: {
      schema: pledgeRequestSchema,
      example: { wallet: EXAMPLE_WALLET, capability: proposedCapabilities[0].pledgeAs },
    },
    answers: {
      200: { description: "Pledged before; this is it.", schema: pledgeSchema },
      201: { description: "Recorded.", schema: pledgeSchema },
    },
  },
  createHandler: (context: BaseContext) => async (c) => {
    const { body, signed } = await readSignedRequest(context, c, {
      schema: pledgeRequestSchema,
      action: "demand_pledge",
      resourceOf: ({ capability }) => capability,
      budget: "pledge",
    });
    // Calls under a deprecated name settle under the new one.
    const built = findCapabilityByAnyName(body.capability);
    const named = { ...body, capability: built?.id ?? body.capability };
    const recorded = await pledge(context, named, signed, built !== undefined);
    return c.json(recorded.pledge, recorded.isNew ? 201 : 200);
  },
});
