import { outcomeRequestSchema } from "@assay/protocol";
import type { Context } from "hono";
import type { BaseContext } from "../../base/context.js";
import { type RecordedOutcome, reportOutcome } from "../../market/reportOutcome.js";
import { readSignedRequest } from "../signedRequest.js";

/** POST /api/v1/outcomes: how a call turned out, told by the wallet that paid for it. */
export async function outcomes(context: BaseContext, c: Context): Promise<RecordedOutcome> {
  const { body, signed } = await readSignedRequest(context, c, {
    schema: outcomeRequestSchema,
    action: "capability_outcome",
    resourceOf: ({ invocationId }) => invocationId,
    budget: "outcome",
  });
  return reportOutcome(context, body, signed);
}
