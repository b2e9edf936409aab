import { z } from "zod";
import { CAPABILITY_NAME_PATTERN, normalizeCapabilityName } from "./agentAction.js";
import {
  addressSchema,
  blockNumberSchema,
  dateTimeSchema,
  hash32Schema,
  lowercaseAddressSchema,
  outcomeNames,
  usdSchema,
} from "./primitives.js";

const countSchema = z.int().min(0);
const rewardKind = z.literal("non_transferable_credits");

/** POST /api/v1/artifacts/publish. The address is signed exactly as it is written here. */
export const publicationRequestSchema = z.strictObject({
  capabilityId: z.literal("contract.guard", "must be contract.guard"),
  wallet: lowercaseAddressSchema,
  address: addressSchema,
  /** keccak256 of the code; null for an account without code. */
  bytecodeHash: hash32Schema.nullable(),
  bytecodeBytes: z.int().min(0),
  computedAtBlock: blockNumberSchema,
});

export const publicationAudits = ["passed", "failed", "unaudited"] as const;

export const publicationSchema = z.object({
  publicationId: z.string(),
  capabilityId: z.string(),
  wallet: addressSchema,
  address: addressSchema,
  bytecodeHash: hash32Schema.nullable(),
  bytecodeBytes: countSchema,
  computedAtBlock: blockNumberSchema,
  blockHash: hash32Schema,
  audit: z.enum(publicationAudits),
  /** The values on the chain at that block. */
  observed: z.object({ bytecodeHash: hash32Schema.nullable(), bytecodeBytes: countSchema }),
  publishedAt: dateTimeSchema,
  /** Leaf of the transparency log that records it; null until somebody has paid to use it. */
  logIndex: countSchema.nullable(),
});

export const seederEconomicsSchema = z.object({
  dividendPerSettledReusePct: z.number(),
  dividendPerSettledReuseUsd: usdSchema,
  lifetimeCapUsd: usdSchema,
  rewardKind,
});

/** The 201 of a publication: the slot is the publisher's. */
export const publishedSchema = publicationSchema.extend({
  seeder: z.object({ wallet: addressSchema, freshUntil: dateTimeSchema, economics: seederEconomicsSchema }),
});

/** POST /api/v1/demand-pledges. */
export const pledgeRequestSchema = z.strictObject({
  wallet: lowercaseAddressSchema,
  capability: z
    .string()
    // Longer than a name may be, because blanks around it are trimmed before its length is checked.
    .max(256, "must be at most 64 characters")
    .meta({ minLength: 2, maxLength: 64, description: "trimmed and in lowercase, 2 to 64 characters" })
    .transform(normalizeCapabilityName)
    .pipe(
      z
        .string()
        .min(2, "must be at least 2 characters")
        .max(64, "must be at most 64 characters")
        .regex(CAPABILITY_NAME_PATTERN, "must be letters and digits with single . _ or - between them")
        .refine((name) => !name.startsWith("0x"), "must be a capability's name, not an address"),
    ),
});

export const pledgeSchema = z.object({
  wallet: addressSchema,
  capability: z.string(),
  /** Whether the capability can be called today. */
  built: z.boolean(),
  pledgedAt: dateTimeSchema,
  credit: z.object({
    pctOfPricePaid: z.number(),
    maxUsd: usdSchema,
    rewardKind,
    /** Null until a call honours the pledge. */
    creditedUsd: usdSchema.nullable(),
  }),
});

/** POST /api/v1/outcomes. */
export const outcomeRequestSchema = z.strictObject({
  invocationId: z.string().min(1).max(128),
  wallet: lowercaseAddressSchema,
  outcome: z.enum(outcomeNames, `must be one of ${outcomeNames.join(", ")}`),
  note: z
    .string()
    .max(500, "must be at most 500 characters")
    // Half of a surrogate pair is not a character, and databases refuse NUL.
    .regex(/^[^\0\ud800-\udfff]*$/u, "must be Unicode text without NUL")
    .optional(),
});

export const outcomeSchema = z.object({
  invocationId: z.string(),
  capabilityId: z.string(),
  outcome: z.enum(outcomeNames),
  reviewCreditUsd: usdSchema,
  reportedAt: dateTimeSchema,
});

/** GET /api/v1/bounties. */
export const bountySchema = z.object({
  capabilityId: z.string(),
  network: z.string(),
  inputHash: z.string(),
  input: z.record(z.string(), z.unknown()),
  misses: countSchema,
  lastMissAt: dateTimeSchema,
  seederEconomics: seederEconomicsSchema,
  fulfillment: z.enum(["publish", "first_settled_invocation"]),
  fulfillmentEndpoint: z.string(),
  publishEndpoint: z.string(),
});

export const bountiesSchema = z.object({
  note: z.string(),
  bounties: z.array(bountySchema),
  /** Only for a caller that sends x-agent-wallet. */
  passport: z
    .object({
      attestedPublisher: z.boolean(),
      headStartSeconds: countSchema,
      withheldByHeadStart: countSchema,
      note: z.string(),
    })
    .optional(),
});

/** GET /api/v1/opportunities: the capabilities that callers asked for and how many did, without their names. */
export const opportunitiesSchema = z.object({
  note: z.string(),
  opportunities: z.array(
    z.object({
      capability: z.string(),
      status: z.enum(["active", "candidate", "unbuilt", "unknown"]),
      unknownAsks: countSchema,
      conditionalPledges: countSchema,
      pledgesHonoured: countSchema,
      firstAskedAt: dateTimeSchema,
      lastAskedAt: dateTimeSchema,
      pledgeEndpoint: z.string(),
    }),
  ),
});

/** GET /api/v1/publishers/{wallet}. */
export const publisherSchema = z.object({
  wallet: addressSchema,
  attested: z.boolean(),
  attestation: z.object({
    /** When the block by a failed audit of the last 30 days ends; null without one. */
    blockedUntil: dateTimeSchema.nullable(),
    headStartSeconds: countSchema,
    lifetimeCapMultiple: z.number(),
  }),
  publications: z.object({ passed: countSchema, failed: countSchema, unaudited: countSchema }),
  /** The newest first, at most 20. */
  audits: z.array(publicationSchema),
  seededInputs: countSchema,
  dividends: z.object({ settledReuses: countSchema, totalUsd: usdSchema, rewardKind }),
  reviewCredits: z.object({ outcomes: countSchema, totalUsd: usdSchema, rewardKind }),
});

/** Null where the denominator is zero. */
const rateSchema = z.number().min(0).max(1).nullable();
/** An upper bound in milliseconds; null when nothing settled, or when it lies beyond the last bound of 102,400 ms. */
const percentileMsSchema = z.int().min(0).nullable();

export const trafficSchema = z.object({
  settledInvocations: countSchema,
  /** Calls that were answered and whose payment then failed: nothing was charged. */
  failedInvocations: countSchema,
  /** Wallets with at least one settled call in the window. */
  uniquePayingAgents: countSchema,
  paidUsd: usdSchema,
  creditAppliedUsd: usdSchema,
  /** How the settled calls were answered; the rate is that of hits and partials together. */
  reuse: z.object({ hits: countSchema, partials: countSchema, misses: countSchema, reuseRate: rateSchema }),
  reuseDividendCreditsUsd: usdSchema,
  retention: z.object({
    /** Wallets whose first settled call ever falls into the window. */
    newAgents: countSchema,
    /** The new agents before the last day, which had a later day to return on; the denominator of the rates. */
    newAgentsBeforeLastDay: countSchema,
    returnedOnLaterDay: countSchema,
    returnRate: rateSchema,
    /** The new agents that paid the full price, without credit, on a later day than their first. */
    fullPriceSecondDayRepeats: countSchema,
    fullPriceSecondDayRepeatRate: rateSchema,
  }),
  reliability: z.object({
    /** Settled calls as a share of settled and failed ones. */
    successRate: rateSchema,
    /** From reservation to settlement, rounded up to 50, 100, 200 … 102,400 ms. */
    p50Ms: percentileMsSchema,
    p90Ms: percentileMsSchema,
    p99Ms: percentileMsSchema,
  }),
  /** The busiest first; capabilities without a call are left out. */
  byCapability: z.array(
    z.object({
      capabilityId: z.string(),
      settledInvocations: countSchema,
      paidUsd: usdSchema,
      hits: countSchema,
      partials: countSchema,
      misses: countSchema,
    }),
  ),
  /** Every day of the window, oldest first. */
  byDay: z.array(
    z.object({ day: z.iso.date(), settledInvocations: countSchema, paidUsd: usdSchema, reuses: countSchema }),
  ),
});

/** GET /api/v1/capabilities/stats. */
export const statsSchema = z.object({
  windowDays: z.int(),
  /** First and last day, both included, in UTC. */
  from: z.iso.date(),
  to: z.iso.date(),
  computedAt: dateTimeSchema,
  cachedForSeconds: z.int(),
  /** The traffic of agents. */
  agents: trafficSchema,
  /** The traffic on the embedded chain and of the operator's own wallets, which `agents` does not include. */
  simulated: trafficSchema,
  note: z.string(),
});

export type PublicationRequest = z.infer<typeof publicationRequestSchema>;
export type Publication = z.infer<typeof publicationSchema>;
export type Published = z.infer<typeof publishedSchema>;
export type SeederEconomics = z.infer<typeof seederEconomicsSchema>;
export type PledgeRequest = z.infer<typeof pledgeRequestSchema>;
export type Pledge = z.infer<typeof pledgeSchema>;
export type OutcomeRequest = z.infer<typeof outcomeRequestSchema>;
export type OutcomeName = (typeof outcomeNames)[number];
export type Outcome = z.infer<typeof outcomeSchema>;
export type Bounty = z.infer<typeof bountySchema>;
export type Bounties = z.infer<typeof bountiesSchema>;
export type Opportunities = z.infer<typeof opportunitiesSchema>;
export type Publisher = z.infer<typeof publisherSchema>;
export type Traffic = z.infer<typeof trafficSchema>;
export type Stats = z.infer<typeof statsSchema>;
