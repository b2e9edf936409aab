import { getCapability } from "@assay/capabilities";
import * as protocol from "@assay/protocol";
import type { z } from "zod";

/** The shapes that stand in `components.schemas`; wherever one is used, the document refers to it. */
export const namedSchemas: Readonly<Record<string, z.ZodType>> = {
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
  TransactionIntentInput: getCapability("transaction.intent.guard").input,
  SwapInput: getCapability("amm.swap.guard").input,
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
  X402Manifest: protocol.x402ManifestSchema,
  McpRequest: protocol.mcpRequestSchema,
  McpAnswer: protocol.mcpAnswerSchema,
  McpError: protocol.mcpErrorSchema,
};

const names = new Map(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]));

export const uriOf = (name: string): string => `#/components/schemas/${name}`;

export const findName = (schema: z.ZodType): string | undefined => names.get(schema);
