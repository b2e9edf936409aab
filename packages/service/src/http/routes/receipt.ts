import { AssayError, receiptSchema } from "@assay/protocol";
import { z } from "zod";
import type { LogContext } from "../../log/signedHeads.js";
import { getReceipt } from "../../payments/receipts.js";
import { EXAMPLE_INVOCATION } from "../openapi/exampleIds.js";
import { defineRoute } from "../route.js";

export const receipt = defineRoute({
  operation: {
    id: "getReceipt",
    method: "get",
    path: "/api/v1/receipts/{invocationId}",
    tag: "receipts",
    summary: "State of a paid call and its settlement, and its place in the log",
    description:
      "Open to anyone who has the id. While a payment is in flight or its outcome unknown, `state` says so.",
    pathFields: { invocationId: z.string().describe("from the answer of a paid call") },
    examples: { invocationId: EXAMPLE_INVOCATION },
    answers: { 200: { description: "The receipt.", schema: receiptSchema } },
    problems: ["not_found", "rate_limited", "database_unavailable"],
  },
  budget: "read",
  createHandler: (context: LogContext) => async (c) => {
    const id = c.req.param("invocationId") ?? "";
    // PostgreSQL refuses text with a NUL; no id has one.
    if (id.includes("\0")) throw new AssayError("not_found", "No invocation has that id.");
    return c.json(await getReceipt(context, id));
  },
});
