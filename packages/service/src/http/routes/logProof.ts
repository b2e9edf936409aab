import { logProofSchema } from "@assay/protocol";
import { z } from "zod";
import { getLogProof } from "../../log/logProofs.js";
import type { LogContext } from "../../log/signedHeads.js";
import { logProblems } from "../openapi/logProblems.js";
import { countSchema, parseFields, readQuery } from "../readInput.js";
import { defineRoute } from "../route.js";

const requestSchema = z.object({
  index: countSchema.describe("position of the leaf, from 0"),
  size: countSchema.optional().describe("leaves of the tree; those of the newest signed head by default"),
});
const { index, size } = requestSchema.shape;

export const logProof = defineRoute({
  operation: {
    id: "getLogProof",
    method: "get",
    path: "/api/v1/log/proof/{index}",
    tag: "receipts",
    summary: "Proof that a leaf is in the tree of so many leaves",
    description: "Hash the leaf and follow the path: the root is that of a signed head of the same size.",
    pathFields: { index },
    query: { size },
    examples: { index: 0 },
    answers: { 200: { description: "An RFC 6962 audit path.", schema: logProofSchema } },
    problems: ["invalid_input", "not_found", ...logProblems],
  },
  budget: "read",
  createHandler: (context: LogContext) => async (c) => {
    const asked = parseFields(requestSchema, { ...readQuery(c), index: c.req.param("index") });
    return c.json(await getLogProof(context, asked.index, asked.size));
  },
});
