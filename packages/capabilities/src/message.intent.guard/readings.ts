import { blockNumberSchema, bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { partyReadingSchema } from "../shared/effects/partyView.js";
import { transactionIntentReadingsSchema } from "../shared/intents/transactionReadings.js";
import { programSigns } from "../shared/machine/programReading.js";
import { recordedAddressSchema } from "../shared/words/recordedAddress.js";
import { venueNames } from "./venues.js";

const address = recordedAddressSchema;
/** What a call returned. The reader cuts it, so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);
const { tokens, history, etherPrice, poolPrices } = transactionIntentReadingsSchema.shape;

/** Everything message.intent.guard is judged from besides the message itself, as plain JSON. */
export const messageIntentReadingsSchema = z.strictObject({
  block: z.strictObject({
    number: blockNumberSchema,
    hash: hash32Schema,
    /** Unix seconds. */
    timestamp: z.int().min(0),
  }),
  /** The day of the registry with which parties were compared. */
  registryVersion: z.string().max(40),
  /** Published contracts that accept or carry out signatures, by what they do. */
  venues: z.record(z.enum(venueNames), z.array(address).max(16)),
  /** The name of a published contract that the domain has, and the contracts that may have it. */
  named: z.strictObject({ name: z.string().max(80), addresses: z.array(address).max(16) }).nullable(),
  /** What the verifying contract says of its domain; null where none is named. */
  domain: z
    .strictObject({
      /** `DOMAIN_SEPARATOR()`. */
      separator: answer,
      /** `domainSeparator()`, as Safe and CoW call it. */
      alternative: answer,
      /** `eip712Domain()` (ERC-5267). */
      description: answer,
    })
    .nullable(),
  nonce: answer.nullable(),
  /** Whether an account names the signer as its owner, by two views; null where no account is concerned. */
  command: z.strictObject({ isOwner: answer, isOwnerAddress: answer, owner: answer }).nullable(),
  /** The verifying contract, the owner, and everybody whom the message names in a part that matters. */
  parties: z.array(partyReadingSchema).max(24),
  tokens,
  /** What the owner holds of each token that the message pays or gives; 0xeeee… stands for ether. */
  balances: z.array(z.strictObject({ token: address, holder: address, balance: answer })).max(8),
  history,
  etherPrice,
  /** Pools that price published tokens which are given or asked for. */
  poolPrices,
  /** What the program of a delegate does that is typical of programs made to take. */
  delegateSigns: readingSchema(z.array(z.enum(programSigns)).nullable()).nullable(),
  /** The run of what the signature makes happen. */
  run: transactionIntentReadingsSchema.nullable(),
});

export type MessageIntentReadings = z.output<typeof messageIntentReadingsSchema>;
