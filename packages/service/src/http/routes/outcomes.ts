import { EXAMPLE_WALLET, outcomeRequestSchema, outcomeSchema } from "@assay/protocol";
import type { BaseContext } from "../../base/context.js";
import { reportOutcome } from "../../market/reportOutcome.js";
import { EXAMPLE_INVOCATION } from "../openapi/exampleIds.js";
import { signedOperation } from "../openapi/signedOperation.js";
import { defineRoute } from "../route.js";
import { readSignedRequest } from "../signedRequest.js";

export const outcomes = defineRoute({
  operation: {
    id: "reportOutcome",
    path: "/api/v1/outcomes",
    tag: "market",
    summary: "Report how a paid call turned out",
    description: "Free and signed by the wallet that paid; the first report on a settled call earns credit.",
    ...signedOperation("capability_outcome", "the `invocationId`", [
      "not_found",
      "foreign_invocation",
      "invocation_not_settled",
      "outcome_differs",
    ]),
    body: {
      schema: outcomeRequestSchema,
      example: {
        invocationId: EXAMPLE_INVOCATION,
        wallet: EXAMPLE_WALLET,
        outcome: "avoided",
        note: "The token could not be sold.",
      },
    },
    answers: {
      200: { description: "Reported before; this is it.", schema: outcomeSchema },
      201: { description: "Recorded.", schema: outcomeSchema },
    },
  },
  createHandler: (context: BaseContext) => async (c) => {
    const { body, signed } = await readSignedRequest(context, c, {
      schema: outcomeRequestSchema,
      action: "capability_outcome",
      resourceOf: ({ invocationId }) => invocationId,
      budget: "outcome",
    });
    const { isNew, outcome } = await reportOutcome(context, body, signed);
    return c.json(outcome, isNew ? 201 : 200);
  },
});
