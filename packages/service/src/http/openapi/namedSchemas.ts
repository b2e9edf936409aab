import { capabilities } from "@assay/capabilities";
import * as protocol from "@assay/protocol";
import type { z } from "zod";
import { nameOperation } from "./nameOperation.js";

/** The shapes that stand in `components.schemas`; the document refers to them wherever they are used. */
export const namedSchemas: Readonly<Record<string, z.ZodType>> = {
  Address: protocol.addressSchema,
  Hash: protocol.hash32Schema,
  Problem: protocol.problemSchema,
  PaymentRequired: protocol.paymentRequiredSchema,
  PaymentRequirements: protocol.paymentRequirementsSchema,
  PaymentPayload: protocol.paymentPayloadSchema,
  Catalog: protocol.catalogSchema,
  CapabilityEntry: protocol.capabilityEntrySchema,
  Readiness: protocol.readinessSchema,
  Dependency: protocol.dependencySchema,
  Health: protocol.healthSchema,
  Stats: protocol.statsSchema,
  Traffic: protocol.trafficSchema,
  Quote: protocol.quoteSchema,
  ...Object.fromEntries(
    capabilities
      .filter(({ method }) => method === "POST")
      .map(({ id, input }) => [nameOperation("", id, "input"), input]),
  ),
  CapabilityResult: protocol.capabilityResultSchema,
  Result: protocol.resultSchema,
  Pricing: protocol.pricingSchema,
  NextCall: protocol.nextCallSchema,
  EvidenceReference: protocol.evidenceReferenceSchema,
  Receipt: protocol.receiptSchema,
  ReceiptLog: protocol.receiptLogSchema,
  PortableEvidence: protocol.portableEvidenceSchema,
  LogProof: protocol.logProofSchema,
  LogConsistency: protocol.logConsistencySchema,
  ClaimRequest: protocol.claimRequestSchema,
  ClaimRecord: protocol.claimRecordSchema,
  ClaimWindow: protocol.claimRecordSchema.shape.window,
  ClaimReward: protocol.claimRecordSchema.shape.reward,
  Breadcrumb: protocol.claimRecordSchema.shape.breadcrumb,
  ClaimDetail: protocol.claimDetailSchema,
  ClaimFeed: protocol.claimFeedSchema,
  ClaimOpened: protocol.claimOpenedSchema,
  ClaimReceipt: protocol.claimReceiptSchema,
  CanonicalClaim: protocol.canonicalClaimSchema,
  Assertion: protocol.assertionSchema,
  ChallengeRequest: protocol.challengeRequestSchema,
  UpgradeEvidence: protocol.upgradeEvidenceSchema,
  BytecodeEvidence: protocol.bytecodeEvidenceSchema,
  ChallengeRecord: protocol.challengeRecordSchema,
  ChallengeAnswer: protocol.challengeAnswerSchema,
  DecisionRequest: protocol.decisionRequestSchema,
  Decision: protocol.decisionSchema,
  PublicationRequest: protocol.publicationRequestSchema,
  Publication: protocol.publicationSchema,
  Published: protocol.publishedSchema,
  SeederEconomics: protocol.seederEconomicsSchema,
  PledgeRequest: protocol.pledgeRequestSchema,
  Pledge: protocol.pledgeSchema,
  OutcomeRequest: protocol.outcomeRequestSchema,
  Outcome: protocol.outcomeSchema,
  Bounties: protocol.bountiesSchema,
  Bounty: protocol.bountySchema,
  Opportunities: protocol.opportunitiesSchema,
  Publisher: protocol.publisherSchema,
  ServiceDescription: protocol.serviceDescriptionSchema,
  AgentRegistration: protocol.agentRegistrationSchema,
  X402Manifest: protocol.x402ManifestSchema,
  McpRequest: protocol.mcpRequestSchema,
  McpAnswer: protocol.mcpAnswerSchema,
  McpError: protocol.mcpErrorSchema,
};

const names = new Map(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]));

export const uriOf = (name: string): string => `#/components/schemas/${name}`;

/** A reference to a named shape, or the shape itself where it has no name. */
export function refer(schema: z.ZodType): protocol.JsonSchema {
  const name = names.get(schema);
  return name === undefined ? protocol.jsonSchemaOf(schema) : { $ref: uriOf(name) };
}
