import { getCapability } from "@assay/capabilities";
import {
  actionHeaders,
  bountiesSchema,
  EXAMPLE_WALLET,
  opportunitiesSchema,
  outcomeRequestSchema,
  outcomeSchema,
  pledgeRequestSchema,
  pledgeSchema,
  publicationRequestSchema,
  publishedSchema,
  publisherSchema,
} from "@assay/protocol";
import { bountiesRequestSchema } from "../../routes/bounties.js";
import { opportunitiesQuerySchema } from "../../routes/opportunities.js";
import { publisherPathSchema } from "../../routes/publishers.js";
import type { Operation } from "../operation.js";
import { signedRoute } from "../signing.js";

const listProblems = ["invalid_input", "rate_limited", "database_unavailable"] as const;

export function listMarketOperations(): Operation[] {
  const { limit, [actionHeaders.wallet]: wallet } = bountiesRequestSchema.shape;
  return [
    {
      id: "listBounties",
      method: "get",
      path: "/api/v1/bounties",
      tag: "market",
      summary: "Questions that were asked and nobody has answered, with what answering earns",
      query: { limit },
      headers: { [actionHeaders.wallet]: wallet.describe("whose head start to apply; need not be signed") },
      examples: { [actionHeaders.wallet]: EXAMPLE_WALLET },
      answers: {
        200: {
          description: "The most wanted first. `passport` for a caller that names its wallet.",
          schema: bountiesSchema,
          headers: ["Cache-Control"],
        },
      },
      problems: listProblems,
    },
    {
      id: "listOpportunities",
      method: "get",
      path: "/api/v1/opportunities",
      tag: "market",
      summary: "Capabilities that were asked or pledged for, and by how many",
      query: opportunitiesQuerySchema.shape,
      answers: { 200: { description: "Without anyone's name.", schema: opportunitiesSchema } },
      problems: listProblems,
    },
    {
      id: "getPublisher",
      method: "get",
      path: "/api/v1/publishers/{wallet}",
      tag: "market",
      summary: "A publisher's audits and what its work earned",
      pathFields: publisherPathSchema.shape,
      examples: { wallet: EXAMPLE_WALLET },
      answers: {
        200: { description: "All zero for a wallet that never published.", schema: publisherSchema },
      },
      problems: listProblems,
    },
    {
      id: "publishArtifact",
      path: "/api/v1/artifacts/publish",
      tag: "market",
      summary: "Publish a bytecode fingerprint that the wallet computed itself",
      description: "Free and signed. It is recomputed before it is taken; a false one stays on the record.",
      ...signedRoute("artifact_publish", "the `address` as it is written in the body", [
        "fingerprint_fresh",
        "publication_burned",
      ]),
      body: {
        schema: publicationRequestSchema,
        example: {
          capabilityId: "contract.guard",
          wallet: EXAMPLE_WALLET,
          address: getCapability("contract.guard").example.address,
          bytecodeHash: "0xd80d4b7c890cb9d6a4893e6b52bc34b56b25335cb13716e0d1d31383e6b41505",
          bytecodeBytes: 1852,
          computedAtBlock: 30_000_000,
        },
      },
      answers: {
        201: {
          description: "Audited and taken: the wallet is the seeder.",
          schema: publishedSchema,
          headers: ["Cache-Control"],
        },
      },
    },
    {
      id: "pledgeDemand",
      path: "/api/v1/demand-pledges",
      tag: "market",
      summary: "Say what the wallet would pay for, built or not",
      description: "Free and signed; earns bounded credit on the first settled call of that capability.",
      ...signedRoute("demand_pledge", "the normalized `capability`: trimmed, in lowercase", []),
      body: {
        schema: pledgeRequestSchema,
        example: { wallet: EXAMPLE_WALLET, capability: "amm.pool.state" },
      },
      answers: {
        200: {
          description: "Pledged before; this is it.",
          schema: pledgeSchema,
          headers: ["Cache-Control"],
        },
        201: { description: "Recorded.", schema: pledgeSchema, headers: ["Cache-Control"] },
      },
    },
    {
      id: "reportOutcome",
      path: "/api/v1/outcomes",
      tag: "market",
      summary: "Report how a paid call turned out",
      description:
        "Free and signed by the wallet that paid; the first report on a settled call earns credit.",
      ...signedRoute("capability_outcome", "the `invocationId`", [
        "not_found",
        "foreign_invocation",
        "invocation_not_settled",
        "outcome_differs",
      ]),
      body: {
        schema: outcomeRequestSchema,
        example: {
          invocationId: "inv_3d725833277ea0e67c08fc96ed438c74",
          wallet: EXAMPLE_WALLET,
          outcome: "avoided",
          note: "The token could not be sold.",
        },
      },
      answers: {
        200: {
          description: "Reported before; this is it.",
          schema: outcomeSchema,
          headers: ["Cache-Control"],
        },
        201: { description: "Recorded.", schema: outcomeSchema, headers: ["Cache-Control"] },
      },
    },
  ];
}
