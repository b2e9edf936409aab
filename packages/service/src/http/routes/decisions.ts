import { decisionRequestSchema } from "@assay/protocol";
import type { Context } from "hono";
import type { BaseContext } from "../../base/context.js";
import { type RecordedDecision, recordDecision } from "../../obligations/recordDecision.js";
import { readSignedRequest } from "../signedRequest.js";

/** POST /api/v1/obligations/decisions: what a wallet did with a verdict it paid for. */
export async function decisions(context: BaseContext, c: Context): Promise<RecordedDecision> {
  const { body, signed } = await readSignedRequest(context, c, {
    schema: decisionRequestSchema,
    action: "obligation_decision",
    resourceOf: ({ invocationId }) => invocationId,
    budget: "decision",
  });
  return recordDecision(context, body, signed);
}
