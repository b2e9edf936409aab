import { z } from "zod";
import { canonicalJson } from "./canonicalJson.js";
import { keccak256Text } from "./keccak256.js";
import { isWholeMicroUsd } from "./money.js";
import {
  addressSchema,
  blockNumberSchema,
  dateTimeSchema,
  decisionNames,
  type Hex,
  hash32Schema,
  lowercaseAddressSchema,
  NETWORK,
  usdSchema,
} from "./primitives.js";

/** The fixed price of opening a claim: 0.25 USD. */
export const CLAIM_PRICE_MICRO_USD = 250_000n;
export const MAX_CLAIM_WINDOW_DAYS = 30;
/** The longest window in blocks, on a chain that makes one in so many milliseconds. */
export const maxClaimWindowBlocks = (blockTimeMs: number): number =>
  Math.floor((MAX_CLAIM_WINDOW_DAYS * 24 * 3_600_000) / blockTimeMs);
export const MIN_CLAIM_LIFE_MS = 3_600_000;
export const MAX_CLAIM_LIFE_MS = 30 * 24 * 3_600_000;

export const claimStatuses = ["open", "falsified", "survived"] as const;

/** POST /api/v1/claims. The service checks what depends on the present (head, deadline). */
export const claimRequestSchema = z.strictObject({
  wallet: lowercaseAddressSchema,
  address: lowercaseAddressSchema,
  /** The resolved implementation throughout the window; null asserts that there is none. */
  implementation: lowercaseAddressSchema.nullable(),
  fromBlock: blockNumberSchema,
  toBlock: blockNumberSchema,
  rewardUsd: z
    .number()
    .min(0.01, "must be from 0.01 to 10000")
    .max(10_000, "must be from 0.01 to 10000")
    .refine(isWholeMicroUsd, "must be whole millionths of a dollar"),
  /** Accepted in any time zone; normalized to UTC with milliseconds. */
  deadline: z.iso
    .datetime({ offset: true, error: "must be an ISO 8601 date-time with a zone" })
    .transform((text) => new Date(text).toISOString()),
});

const upgradeWindowAssertion = z.object({
  type: z.literal("upgrade_window"),
  address: addressSchema,
  implementation: addressSchema.nullable(),
  fromBlock: blockNumberSchema,
  toBlock: blockNumberSchema,
});
const bytecodeAssertion = z.object({
  type: z.literal("bytecode"),
  address: addressSchema,
  /** keccak256 of the code; null for none. */
  bytecodeHash: hash32Schema.nullable(),
  bytecodeBytes: z.int().min(0),
  fromBlock: blockNumberSchema,
  toBlock: blockNumberSchema,
});
export const assertionSchema = z.discriminatedUnion("type", [upgradeWindowAssertion, bytecodeAssertion]);

/** The assertion, the promise and their author. The claim's id is the hash of the canonical JSON of this. */
export const canonicalClaimSchema = z.strictObject({
  network: z.literal(NETWORK),
  kind: z.enum(["claim", "obligation"]),
  assertion: assertionSchema,
  opener: addressSchema,
  rewardMicroUsd: z.string(),
  /** ISO 8601, UTC, with milliseconds. */
  deadline: dateTimeSchema,
  /** Distinguishes equal claims: the paid call that opened one, or the cause for which the service published it. */
  origin: z.string(),
});

export const claimIdOf = (claim: CanonicalClaim): Hex => keccak256Text(canonicalJson(claim));

/** The content of a receipt, whose bytes are the canonical JSON of this in UTF-8. Fixed when the claim is opened. */
export const claimReceiptSchema = z.strictObject({
  claimId: hash32Schema,
  claim: canonicalClaimSchema,
  fromBlockHash: hash32Schema,
  toBlockHash: hash32Schema,
  /** The resolved implementation at `toBlock`, as it was read at opening. */
  implementationAtToBlock: addressSchema.nullable(),
});

export const claimReceiptText = (receipt: ClaimReceipt): string => canonicalJson(receipt);
/** keccak256 of the UTF-8 bytes of the receipt. */
export const survivalHashOf = (receiptText: string): Hex => keccak256Text(receiptText);

/** Evidence against an upgrade-window claim. It is signed with the keys in this order. */
export const upgradeEvidenceSchema = z.strictObject({
  wallet: lowercaseAddressSchema,
  block: blockNumberSchema,
  implementation: addressSchema.nullable(),
});
export const bytecodeEvidenceSchema = z.strictObject({
  wallet: lowercaseAddressSchema,
  bytecodeHash: hash32Schema.nullable(),
  bytecodeBytes: z.int().min(0),
});

/** Body of POST /api/v1/claims/{claimId}/challenges; the kind of claim decides which of the two it is. */
export const challengeRequestSchema = z.union([upgradeEvidenceSchema, bytecodeEvidenceSchema]);

export type ChallengeEvidence =
  | { readonly block: number; readonly implementation: string | null }
  | { readonly bytecodeHash: string | null; readonly bytecodeBytes: number };

/** Compact JSON with the keys in the order that the interface defines, and the values as the caller wrote them. */
export function evidenceText(evidence: ChallengeEvidence): string {
  return "block" in evidence
    ? JSON.stringify({ block: evidence.block, implementation: evidence.implementation })
    : JSON.stringify({ bytecodeHash: evidence.bytecodeHash, bytecodeBytes: evidence.bytecodeBytes });
}

/** The signed resource of a challenge. */
export const challengeResource = (claimId: string, evidence: ChallengeEvidence): string =>
  `${claimId}:${keccak256Text(evidenceText(evidence))}`;

export const challengeResolutions = [
  "counterexample_valid",
  "claim_correct",
  "invalid_evidence",
  "already_resolved",
] as const;

const observedSchema = z.object({
  block: blockNumberSchema,
  blockHash: hash32Schema.nullable(),
  /** For upgrade-window claims. */
  implementation: addressSchema.nullable().optional(),
  /** For bytecode claims. */
  bytecodeHash: hash32Schema.nullable().optional(),
  bytecodeBytes: z.int().min(0).optional(),
});

export const challengeRecordSchema = z.object({
  challengeId: z.string(),
  wallet: addressSchema,
  evidence: z.record(z.string(), z.unknown()),
  resolution: z.enum(challengeResolutions),
  observed: observedSchema.nullable(),
  submittedAt: dateTimeSchema,
  logIndex: z.int().nullable(),
});

/** Body of POST /api/v1/claims/{claimId}/challenges, 200 and 201. */
export const challengeAnswerSchema = z.object({
  claimId: hash32Schema,
  resolution: z.enum(challengeResolutions),
  reason: z.string(),
  claimStatus: z.enum(claimStatuses),
  /** Null when the claim was already resolved, so that this challenge was not evaluated. */
  challenge: challengeRecordSchema.nullable(),
  /** The owed reward. The service only states it, and never holds or moves it. Null without an award. */
  reward: z
    .object({
      rewardOwedBy: addressSchema,
      rewardOwedTo: addressSchema,
      rewardUsd: usdSchema,
      note: z.string(),
    })
    .nullable(),
});

export const claimRecordSchema = z.object({
  claimId: hash32Schema,
  kind: z.enum(["claim", "obligation"]),
  /** Hashes to the id: keccak256 of its canonical JSON (RFC 8785). */
  claim: canonicalClaimSchema,
  assertion: assertionSchema,
  window: z.object({ fromBlock: blockNumberSchema, toBlock: blockNumberSchema, blocks: z.int() }),
  opener: addressSchema,
  reward: z.object({ rewardUsd: usdSchema, paidBy: z.literal("opener"), note: z.string() }),
  deadline: dateTimeSchema,
  status: z.enum(claimStatuses),
  openedAt: dateTimeSchema,
  openedAtBlock: blockNumberSchema,
  resolvedAt: dateTimeSchema.nullable(),
  survivalHash: hash32Schema.nullable(),
  /** True once the deadline passed without a counterexample. */
  survived: z.boolean(),
  receiptUrl: z.string().nullable(),
  challengeEndpoint: z.string(),
  invocationId: z.string().nullable(),
  logIndex: z.int().nullable(),
  breadcrumb: z
    .object({ status: z.enum(["due", "sending", "sent", "failed"]), transaction: hash32Schema.nullable() })
    .nullable(),
});

/** GET /api/v1/claims/{claimId}. */
export const claimDetailSchema = claimRecordSchema.extend({
  challenges: z.array(challengeRecordSchema),
  challengesTotal: z.int(),
  winner: addressSchema.nullable(),
});

/** GET /api/v1/claims. */
export const claimFeedSchema = z.object({
  listFeed: z.enum(["enabled", "feature_gated"]),
  note: z.string(),
  claims: z.array(claimRecordSchema),
});

/** POST /api/v1/claims, 201. */
export const claimOpenedSchema = claimRecordSchema.extend({
  pricing: z.object({ pricePaidUsd: usdSchema }),
  /** Of the payment. */
  paymentReceiptUrl: z.string(),
});

/** POST /api/v1/obligations/decisions. */
export const decisionRequestSchema = z.strictObject({
  invocationId: z.string().min(1).max(128),
  wallet: lowercaseAddressSchema,
  decision: z.enum(decisionNames, `must be one of ${decisionNames.join(", ")}`),
});
export const decisionSchema = z.object({
  invocationId: z.string(),
  obligationId: hash32Schema,
  wallet: addressSchema,
  decision: z.enum(decisionNames),
  decidedAt: dateTimeSchema,
  /** The decision is what the wallet states; the service does not check it. */
  selfAttested: z.literal(true),
  logIndex: z.int().nullable(),
});

export type ClaimRequest = z.infer<typeof claimRequestSchema>;
export type Assertion = z.infer<typeof assertionSchema>;
export type CanonicalClaim = z.infer<typeof canonicalClaimSchema>;
export type ClaimReceipt = z.infer<typeof claimReceiptSchema>;
export type ClaimStatus = (typeof claimStatuses)[number];
export type ClaimRecord = z.infer<typeof claimRecordSchema>;
export type ClaimDetail = z.infer<typeof claimDetailSchema>;
export type ClaimFeed = z.infer<typeof claimFeedSchema>;
export type ClaimOpened = z.infer<typeof claimOpenedSchema>;
export type ChallengeResolution = (typeof challengeResolutions)[number];
export type ChallengeRecord = z.infer<typeof challengeRecordSchema>;
export type ChallengeAnswer = z.infer<typeof challengeAnswerSchema>;
export type DecisionRequest = z.infer<typeof decisionRequestSchema>;
export type Decision = z.infer<typeof decisionSchema>;
