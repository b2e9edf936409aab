import { logConsistencySchema } from "@assay/protocol";
import { z } from "zod";
import { getLogConsistency } from "../../log/logProofs.js";
import type { LogContext } from "../../log/signedHeads.js";
import { logProblems } from "../openapi/logProblems.js";
import { countSchema, parseFields, readQuery } from "../readInput.js";
import { defineRoute } from "../route.js";

const querySchema = z.object({
  first: countSchema.describe("leaves of the smaller tree"),
  second: countSchema.describe("leaves of the larger tree"),
});

export const logConsistency = defineRoute({
  operation: {
    id: "getLogConsistency",
    method: "get",
    path: "/api/v1/log/consistency",
    tag: "receipts",
    summary: "Proof that a larger tree begins with a smaller one",
    description: "Keep a signed head and ask later: a log that was rewritten has no such proof.",
    query: querySchema.shape,
    examples: { first: 1, second: 2 },
    answers: { 200: { description: "An RFC 6962 consistency proof.", schema: logConsistencySchema } },
    problems: ["invalid_input", "not_found", ...logProblems],
  },
  budget: "read",
  createHandler: (context: LogContext) => async (c) => {
    const { first, second } = parseFields(querySchema, readQuery(c));
    return c.json(await getLogConsistency(context, first, second));
  },
});
