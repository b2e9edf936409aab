import { blockNumberSchema, bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { swapRouterSchema } from "../shared/swaps/swapRouters.js";
import { recordedAddressSchema } from "../shared/words/recordedAddress.js";

const address = recordedAddressSchema;
const amount = z.string().regex(/^(0|[1-9][0-9]*)$/, "must be a decimal integer");
const answer = readingSchema(bytesSchema);

/** More balances than an ordinary trade has. Further ones are not measured, and the verdict states that. */
export const MAX_BALANCES = 16;
/** The longest way from a root to an entry: keys of a list have at most 5 bytes. */
const MAX_PROOF_NODES = 12;

const part = z.strictObject({
  /** Trie nodes from the header's root to the entry; absent where the lists that nodes return do not have that root. */
  proof: readingSchema(z.array(bytesSchema).max(MAX_PROOF_NODES)),
  /** The entry as a node reports it, where it is not proven; null also when its form is not known. */
  told: bytesSchema.nullable(),
});

/** Everything trade.execution.notarize is judged from, as plain JSON. */
export const tradeExecutionReadingsSchema = z.strictObject({
  /** The newest block, which must descend from the transaction's own block. */
  block: z.strictObject({ number: blockNumberSchema, hash: hash32Schema, timestamp: z.int().min(0) }),
  execution: z.strictObject({
    number: blockNumberSchema,
    hash: hash32Schema,
    /** The hash at that height of the chain that ends with the newest block, as nodes report it. */
    canonicalHash: hash32Schema,
    /** The transaction's place in its block. */
    index: z.int().min(0),
    header: readingSchema(bytesSchema),
    transaction: part,
    receipt: part,
    /** What a node reports. It is used where the bytes have an unknown form or no signature. */
    told: z.strictObject({
      type: z.int().min(0).max(255),
      from: address,
      to: address.nullable(),
      value: amount,
      /** Gas and its price in wei, as a node reports them: neither is in the receipt that the block commits to. */
      gasUsed: amount,
      effectiveGasPrice: amount,
      /** Wei for the data on L1; null where the node reports none. */
      l1Fee: amount.nullable(),
    }),
  }),
  /** Numbers of the newest safe and finalized blocks. */
  finality: z.strictObject({ safe: readingSchema(z.int().min(0)), finalized: readingSchema(z.int().min(0)) }),
  /** The router called, as the service supports it; null for any other target. */
  router: swapRouterSchema.nullable(),
  /** Before and after the whole block. */
  balances: z
    .array(
      z.strictObject({
        holder: address,
        /** Null for the native currency. */
        token: address.nullable(),
        before: answer,
        after: answer,
        /**
         * Other transactions of the block whose receipts name the holder with this token; null where they are not
         * known.
         */
        others: z.int().min(0).nullable(),
      }),
    )
    .max(MAX_BALANCES),
  /** The record of the cited guard call; null when none was cited. */
  guard: z
    .strictObject({
      invocationId: z.string().regex(/^inv_[0-9a-f]{32}$/),
      capabilityId: z.enum(["amm.swap.guard", "transaction.intent.guard"]),
      capabilityVersion: z.string().max(16),
      /** Of the guarded transaction; null, to keep the question private, when it is another transaction than this one. */
      inputHash: z
        .string()
        .regex(/^sha256:[0-9a-f]{64}$/)
        .nullable(),
      /** Of the guard's answer, which only its buyer has. */
      resultHash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
      /** The newest block when the call was accepted, and the time. */
      reservedAtBlock: blockNumberSchema,
      reservedAtMs: z.int().min(0),
      receiptUrl: z.string().max(300),
    })
    .nullable(),
});

export type TradeExecutionReadings = z.output<typeof tradeExecutionReadingsSchema>;
