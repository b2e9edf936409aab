import { decisionRequestSchema, decisionSchema, EXAMPLE_WALLET } from "@assay/protocol";
import type { BaseContext } from "../../base/context.js";
import { recordDecision } from "../../obligations/recordDecision.js";
import { EXAMPLE_INVOCATION } from "../openapi/exampleIds.js";
import { signedOperation } from "../openapi/signedOperation.js";
import { defineRoute } from "../route.js";
import { readSignedRequest } from "../signedRequest.js";

export const decisions = defineRoute({
  operation: {
    id: "recordDecision",
    path: "/api/v1/obligations/decisions",
    tag: "claims",
    summary: "Record what was done with a paid verdict on an obligation",
    description: "Free, signed and self-attested; one decision per call of obligation.verdict.",
    ...signedOperation("obligation_decision", "the `invocationId`", [
      "not_found",
      "foreign_invocation",
      "invocation_without_verdict",
    ]),
    body: {
      schema: decisionRequestSchema,
      example: { invocationId: EXAMPLE_INVOCATION, wallet: EXAMPLE_WALLET, decision: "accepted" },
    },
    answers: {
      200: { description: "A decision was recorded before; this is it.", schema: decisionSchema },
      201: { description: "Recorded.", schema: decisionSchema },
    },
  },
  createHandler: (context: BaseContext) => async (c) => {
    const { body, signed } = await readSignedRequest(context, c, {
      schema: decisionRequestSchema,
      action: "obligation_decision",
      resourceOf: ({ invocationId }) => invocationId,
      budget: "decision",
    });
    const { isNew, decision } = await recordDecision(context, body, signed);
    return c.json(decision, isNew ? 201 : 200);
  },
});
