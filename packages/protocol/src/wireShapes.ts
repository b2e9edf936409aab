import { z } from "zod";
import { channelConfigSchema, voucherSchema } from "./channelWire.js";
import { errorCodes } from "./errors.js";
import { keyEndorsementSchema } from "./keyEndorsement.js";
import {
  addressSchema,
  artifactIdSchema,
  blockNumberSchema,
  bytesSchema,
  cacheStatusSchema,
  dateTimeSchema,
  hash32Schema,
  usdSchema,
  verdictSchema,
} from "./primitives.js";

const freeForm = z.record(z.string(), z.unknown());

export const capabilityEntrySchema = z.object({
  id: z.string(),
  version: z.string(),
  status: z.enum(["active", "candidate"]),
  summary: z.string(),
  reuse: z.enum(["shared", "private"]),
  constraints: z.object({ ttlSeconds: z.int(), network: z.string() }),
  pricing: z.object({
    currency: z.string(),
    network: z.string(),
    cacheHitUsd: usdSchema,
    fingerprintHitUsd: usdSchema,
    cacheMissUsd: usdSchema,
    facilitatorMinimumUsd: usdSchema,
  }),
  input: freeForm,
  endpoints: z.object({ quote: z.string(), invoke: z.string() }),
  x402Endpoints: z.object({ invoke: z.string() }),
});

export const dependencySchema = z.object({
  name: z.enum(["chain", "persistence", "x402"]),
  ok: z.boolean(),
  detail: z.string(),
});
export const readinessSchema = z.object({ ok: z.boolean(), dependencies: z.array(dependencySchema) });

export const catalogSchema = z.object({
  product: z.string(),
  mode: z.literal("consume_only"),
  value: z.string(),
  transport: z.string(),
  network: z.string(),
  quoteEndpoint: z.string(),
  signingAddress: addressSchema,
  payable: z.object({ x402: z.literal(false), note: z.string() }),
  production: z.object({
    open: z.boolean(),
    publish: z.string(),
    reward: z.literal("non_transferable_credits"),
    note: z.string(),
  }),
  capabilities: z.array(capabilityEntrySchema),
  proposed: z.object({
    note: z.string(),
    pledgeEndpoint: z.string(),
    proposals: z.array(
      z.object({
        pledgeAs: z.string(),
        title: z.string(),
        wouldAnswer: z.string(),
        gap: z.string(),
        buildCost: z.string(),
        status: z.literal("unbuilt"),
      }),
    ),
  }),
  readiness: readinessSchema,
});

export const quoteSchema = z.object({
  capabilityId: z.string(),
  quoteId: z.string(),
  cacheStatus: cacheStatusSchema,
  listPriceUsd: usdSchema,
  creditAppliedUsd: usdSchema,
  priceUsd: usdSchema,
  expiresAt: dateTimeSchema,
  invokeUrl: z.string(),
  invokeMethod: z.enum(["GET", "POST"]),
  invokeBody: freeForm.nullable(),
});

export const resultSchema = z.object({
  reasonCodes: z.array(z.string()),
  summary: z.string(),
  evidence: freeForm,
  computedAtBlock: blockNumberSchema,
  validUntilBlock: blockNumberSchema,
  limitations: z.array(z.string()),
  /** evidence.artifact only: the answer of an expired artifact, computed again. */
  refreshed: freeForm.optional(),
});

export const pricingSchema = z.object({
  quotedCacheStatus: cacheStatusSchema,
  actualCacheStatus: cacheStatusSchema,
  listPriceUsd: usdSchema,
  creditAppliedUsd: usdSchema,
  pricePaidUsd: usdSchema,
});

const callShape = {
  capabilityId: z.string(),
  method: z.enum(["GET", "POST"]),
  url: z.string(),
  body: freeForm.nullable(),
};

/** What `nextCall.watch` says of itself. No hash covers it, so a client may put it in place of what it received. */
export const WATCH_NOTE = "Reports what changed between two observations of the same subject.";

export const nextCallSchema = z.object({
  validUntilBlock: blockNumberSchema,
  validForSeconds: z.int().nullable(),
  recheck: z.object({
    ...callShape,
    notBeforeBlock: blockNumberSchema,
    listPriceUsdCeiling: usdSchema,
    payment: z.literal("x402"),
  }),
  watch: z.object({ ...callShape, note: z.string() }).nullable(),
});

export const evidenceReferenceSchema = z.object({
  artifactId: artifactIdSchema,
  shareable: z.boolean(),
  url: z.string(),
  inputHash: z.string(),
  resultHash: z.string(),
  blockHash: hash32Schema,
  signer: addressSchema,
  signature: bytesSchema,
});

export const capabilityResultSchema = z.object({
  capabilityId: z.string(),
  capabilityVersion: z.string(),
  invocationId: z.string(),
  verdict: verdictSchema,
  result: resultSchema,
  pricing: pricingSchema,
  receiptUrl: z.string(),
  nextCall: nextCallSchema.nullable(),
  evidenceReference: evidenceReferenceSchema,
});

export const invocationStates = [
  "reserved",
  "settling",
  "settled",
  "failed",
  "unknown",
  "void",
  "reorged",
] as const;

const leafCountSchema = z.int().min(0);

/** GET /api/v1/log/proof/{index}: RFC 6962 audit path; the checkpoint where that size was signed. */
export const logProofSchema = z.object({
  index: leafCountSchema,
  size: leafCountSchema,
  leafHash: hash32Schema,
  path: z.array(hash32Schema),
  checkpoint: z.string().nullable(),
});

/** GET /api/v1/log/consistency: the tree of `second` leaves begins with the tree of `first`. */
export const logConsistencySchema = z.object({
  first: leafCountSchema,
  second: leafCountSchema,
  path: z.array(hash32Schema),
});

/** Everything that is needed to verify a receipt's place in the log offline. */
export const receiptLogSchema = z.object({
  index: leafCountSchema,
  /** The exact text whose UTF-8 bytes are hashed. */
  leaf: z.string(),
  leafHash: hash32Schema,
  size: leafCountSchema,
  path: z.array(hash32Schema),
  checkpoint: z.string(),
  /** Ed25519, 32 bytes in base64. */
  publicKey: z.string(),
  origin: z.string(),
});

/** GET /.well-known/assay.json: the identity of this service, its keys and its limits. */
export const serviceDescriptionSchema = z.object({
  product: z.string(),
  network: z.string(),
  /** The address that signs every result. */
  signingAddress: addressSchema,
  log: z.object({
    origin: z.string(),
    /** Ed25519, 32 bytes in base64. */
    publicKey: z.string(),
    checkpoint: z.string(),
    /** Where the database was put back to an earlier moment: later entries of the log's former name are not in this log. */
    breaks: z
      .array(
        z.object({
          formerLogId: z.string(),
          size: leafCountSchema,
          root: hash32Schema,
          stateOf: z.iso.datetime(),
          restoredAt: z.iso.datetime(),
        }),
      )
      .optional(),
  }),
  /** Former keys and what follows each of them, the oldest first: how to get from a key that was pinned to `signingAddress`. */
  endorsements: z.array(keyEndorsementSchema).optional(),
  /** The audience that a signed action must name. */
  audience: z.string(),
  /** The EIP-712 domain of signed actions; its salt is keccak256 of the audience. */
  actionDomain: z.object({ name: z.string(), version: z.string(), chainId: z.int(), salt: hash32Schema }),
  limits: z.object({
    bodyBytes: z.int(),
    headerBytes: z.int(),
    paymentHeaderCharacters: z.int(),
    paymentValiditySeconds: z.int(),
    challengeLifeSeconds: z.int(),
    quoteLifeSeconds: z.int(),
  }),
  /** Other documents about this service. */
  links: z.object({
    catalog: z.string(),
    openapi: z.string(),
    mcp: z.string(),
    /** The endpoint for x402's own MCP clients: challenges are inside results. */
    mcpForX402Clients: z.string(),
    llms: z.string(),
    x402: z.string(),
  }),
});

/** GET /devnet.json, on the embedded chain only: its test wallets hold play money, and their keys are public. */
export const localChainSchema = z.object({
  accounts: z.array(z.object({ name: z.string(), address: addressSchema, privateKey: hash32Schema })),
  contracts: z.record(z.string(), addressSchema),
  stablecoin: z.object({ address: addressSchema }),
  /** The node of the chain. */
  rpcUrl: z.string().optional(),
  /** Sample inputs of each capability, by its id; none for capabilities about earlier publications. */
  samples: z.record(
    z.string(),
    z.array(z.object({ name: z.string(), input: z.record(z.string(), z.union([z.string(), z.number()])) })),
  ),
});

export const receiptSchema = z.object({
  invocationId: z.string(),
  capabilityId: z.string(),
  capabilityVersion: z.string(),
  network: z.string(),
  state: z.enum(invocationStates),
  charged: z.boolean().nullable(),
  pricing: pricingSchema,
  payment: z.object({
    payer: addressSchema,
    payTo: addressSchema,
    asset: addressSchema,
    amount: z.string(),
    authorizationNonce: z.string(),
    /** Null until it is settled, and for a payment by voucher. */
    transaction: hash32Schema.nullable(),
    /** For a payment by voucher: what a verifier needs to check it. */
    channel: z
      .object({
        config: channelConfigSchema,
        /** Its signature is shown once it is claimed: until then, who holds it can speak for the channel. */
        voucher: voucherSchema.partial({ signature: true }),
        /** Whether the chain shows a claim that reaches this voucher. */
        isClaimed: z.boolean(),
        /** Null where it is not known which transaction that was. */
        claimTransaction: hash32Schema.nullable().optional(),
      })
      .optional(),
    /** The transaction that pays since a reorganisation of the chain undid the first one. */
    redeliveredBy: hash32Schema.optional(),
  }),
  resultHash: z.string().nullable(),
  artifactId: artifactIdSchema.nullable(),
  quoteId: z.string().nullable(),
  /** The payer's name for this purchase, in the x402 extension payment-identifier. */
  paymentIdentifier: z.string().nullable(),
  /** EIP-712 hash of the x402 receipt in PAYMENT-RESPONSE, which contains neither amount nor answer; this receipt does. */
  x402ReceiptHash: hash32Schema.nullable(),
  failure: z.string().nullable(),
  createdAt: dateTimeSchema,
  settledAt: dateTimeSchema.nullable(),
  /** Null until the call is settled, and while the log is inconsistent. */
  log: receiptLogSchema.nullable(),
});

export const healthSchema = z.object({
  status: z.enum(["ready", "unavailable"]),
  dependencies: z.array(dependencySchema),
  headBlock: blockNumberSchema.nullable(),
  headAgeMs: z.int().nullable(),
  blockTimeMs: z.number().nullable(),
});

/** RFC 9457 problem details with Assay's stable code. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]]),
  requestId: z.string(),
  errors: z.array(z.object({ field: z.string(), rule: z.string() })).optional(),
});

export type Catalog = z.infer<typeof catalogSchema>;
export type CapabilityEntry = z.infer<typeof capabilityEntrySchema>;
export type Dependency = z.infer<typeof dependencySchema>;
export type Quote = z.infer<typeof quoteSchema>;
export type CapabilityResult = z.infer<typeof capabilityResultSchema>;
export type ResultBody = z.infer<typeof resultSchema>;
export type NextCall = z.infer<typeof nextCallSchema>;
export type EvidenceReference = z.infer<typeof evidenceReferenceSchema>;
export type InvocationState = (typeof invocationStates)[number];
export type Receipt = z.infer<typeof receiptSchema>;
export type ReceiptLog = z.infer<typeof receiptLogSchema>;
export type LogProof = z.infer<typeof logProofSchema>;
export type LogConsistency = z.infer<typeof logConsistencySchema>;
export type ServiceDescription = z.infer<typeof serviceDescriptionSchema>;
export type LocalChain = z.infer<typeof localChainSchema>;
export type Health = z.infer<typeof healthSchema>;
export type Problem = z.infer<typeof problemSchema>;
