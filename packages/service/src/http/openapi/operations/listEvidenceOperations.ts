import { getCapability } from "@assay/capabilities";
import { logConsistencySchema, logProofSchema, portableEvidenceSchema, receiptSchema } from "@assay/protocol";
import { z } from "zod";
import { evidenceRequestSchema, INSTALLATION } from "../../routes/evidence.js";
import { logConsistencyQuerySchema, logProofRequestSchema } from "../../routes/log.js";
import type { Operation } from "../operation.js";

const readProblems = ["rate_limited", "database_unavailable"] as const;
const logProblems = ["log_inconsistent", ...readProblems] as const;

export function listEvidenceOperations(): Operation[] {
  const { artifactId, channel, [INSTALLATION]: installation } = evidenceRequestSchema.shape;
  const { index, size } = logProofRequestSchema.shape;
  return [
    {
      id: "getReceipt",
      method: "get",
      path: "/api/v1/receipts/{invocationId}",
      tag: "receipts",
      summary: "State of a paid call and its settlement, and its place in the log",
      pathFields: { invocationId: z.string().describe("from the answer of a paid call") },
      examples: { invocationId: "inv_3d725833277ea0e67c08fc96ed438c74" },
      answers: { 200: { description: "The receipt.", schema: receiptSchema } },
      problems: ["not_found", ...readProblems],
    },
    {
      id: "getEvidence",
      method: "get",
      path: "/api/v1/evidence/{artifactId}",
      tag: "receipts",
      summary: "Where a shared answer came from, without payer or output",
      pathFields: { artifactId },
      query: {
        channel: channel.describe("where the reference was received; counted, not kept with a wallet"),
      },
      headers: {
        [INSTALLATION]: installation.describe(
          "stable opaque id of the receiver's installation; never a wallet",
        ),
      },
      examples: { ...getCapability("evidence.artifact").example, channel: "agent-mail" },
      answers: {
        200: {
          description: "Origin, validity and the exact normalized input.",
          schema: portableEvidenceSchema,
          headers: ["Cache-Control"],
        },
      },
      problems: ["invalid_input", "private_artifact", "not_found", ...readProblems],
    },
    {
      id: "getLogCheckpoint",
      method: "get",
      path: "/api/v1/log/checkpoint",
      tag: "receipts",
      summary: "The signed head of the transparency log",
      answers: {
        200: {
          description: "A C2SP signed note that covers everything appended so far.",
          schema: z.string(),
          mediaType: "text/plain",
          headers: ["Cache-Control"],
        },
      },
      problems: logProblems,
    },
    {
      id: "getLogProof",
      method: "get",
      path: "/api/v1/log/proof/{index}",
      tag: "receipts",
      summary: "That a leaf is in the tree of so many leaves",
      pathFields: { index: index.describe("position of the leaf, from 0") },
      query: { size: size.describe("leaves of the tree; the newest signed one unless told") },
      examples: { index: 0 },
      answers: { 200: { description: "An RFC 6962 audit path.", schema: logProofSchema } },
      problems: ["invalid_input", "not_found", ...logProblems],
    },
    {
      id: "getLogConsistency",
      method: "get",
      path: "/api/v1/log/consistency",
      tag: "receipts",
      summary: "That a larger tree begins with a smaller one",
      query: logConsistencyQuerySchema.shape,
      examples: { first: 1, second: 2 },
      answers: { 200: { description: "An RFC 6962 consistency proof.", schema: logConsistencySchema } },
      problems: ["invalid_input", "not_found", ...logProblems],
    },
  ];
}
