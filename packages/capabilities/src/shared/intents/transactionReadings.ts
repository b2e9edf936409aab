import { blockNumberSchema, bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../code/fingerprintBytecode.js";
import { partyReadingSchema } from "../effects/partyView.js";
import { observedReadingsSchema } from "../observations/observedReadings.js";
import { knownPartySchema } from "../parties/knownParty.js";
import { simulationConditionsSchema, watchedProgramSchema } from "../simulation/simulationConditions.js";
import { swapOutcomeShape } from "../swaps/swapReadings.js";
import { swapRouterSchema } from "../swaps/swapRouters.js";
import { recordedAddressSchema } from "../words/recordedAddress.js";
import { poolPricesSchema } from "./poolPrices.js";

const address = recordedAddressSchema;
const code = readingSchema(codeFingerprintSchema);
/** What a call returned. The reader cuts it, so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);
const decimal = z.string().regex(/^(0|[1-9][0-9]{0,77})$/, "must be a decimal integer");

/** Measured in the order the rule plans: native balances of its accounts, then one word per measurement. */
const stateSchema = z.strictObject({
  native: z.array(decimal).max(8),
  /** Null where a view gave no word. */
  words: z.array(decimal.nullable()).max(80),
});

/** What the node's own trace of the plain transaction shows. */
const traceSchema = z.strictObject({
  success: z.boolean(),
  gasUsed: decimal,
  returned: bytesSchema,
  /** Native currency that moves, in wei. */
  moves: z.array(z.strictObject({ from: address, to: address, value: decimal })).max(128),
  /** Events about assets, and others that name a holder. */
  logs: z
    .array(z.strictObject({ address, topics: z.array(hash32Schema).max(4), data: bytesSchema }))
    .max(192),
  /** Whether a contract was created on the way. */
  creates: z.boolean(),
});

/** How a token describes itself, for amounts that people can read. */
const tokenSchema = z.strictObject({
  token: address,
  symbol: answer,
  decimals: answer,
  /** Its name in the registry of published contracts. */
  known: z.string().max(80).nullable(),
  /** Whether it stands for a deposit: it names what it is a share of. Null where it was not asked. */
  isReceipt: readingSchema(z.boolean()).nullable(),
});

/** Everything transaction.intent.guard is judged from besides the transaction itself, as plain JSON. */
export const transactionIntentReadingsSchema = z.strictObject({
  block: z.strictObject({
    number: blockNumberSchema,
    hash: hash32Schema,
    /** Unix seconds. */
    timestamp: z.int().min(0),
  }),
  target: observedReadingsSchema.pick({
    code: true,
    slots: true,
    paused: true,
    masterCopy: true,
    beaconImplementation: true,
  }),
  senderCode: code,
  /** The day of the registry with which parties were compared. */
  registryVersion: z.string().max(40),
  /** Registry entries of the contracts that are called: one selector may mean different things in different protocols. */
  called: z.array(knownPartySchema).max(101),
  /** The sender, the target and everybody whom calldata or trace name in a part that matters. */
  parties: z.array(partyReadingSchema).max(40),
  tokens: z.array(tokenSchema).max(24),
  /**
   * Who was paid by the sender, and who paid it, according to events of published tokens in recent blocks; null where
   * that does not matter. Absent where the nodes do not search that far.
   */
  history: z
    .strictObject({
      fromBlock: blockNumberSchema,
      paid: readingSchema(z.array(address).max(256)),
      payers: readingSchema(z.array(address).max(256)),
      /** Of each account and token that was paid: the largest transfer and the sum, in smallest units. */
      amounts: readingSchema(
        z.array(z.strictObject({ to: address, token: address, largest: decimal, total: decimal })).max(256),
      ),
    })
    .nullable(),
  /** What the transaction writes. Absent where no node offers it. */
  storage: readingSchema(
    z.strictObject({
      /** Contracts whose storage changes. */
      changed: z.array(address).max(64),
      /** Words that name a holder before the transaction and another address after it. */
      handedOver: z
        .array(z.strictObject({ address, slot: hash32Schema, before: address, after: address }))
        .max(32),
    }),
  ),
  /** Pools that price published tokens which move. */
  poolPrices: poolPricesSchema,
  /** Answer of the ETH/USD feed's `latestRoundData()`. */
  etherPrice: answer,
  /** What the chain asks for the transaction beside its gas, in wei, by the GasPriceOracle predeploy. Null: it has no such fee. */
  besideGas: readingSchema(
    z.strictObject({
      /** To publish its data on L1; `isBound`: an upper bound, because only its size was given. */
      l1Data: z.strictObject({ wei: decimal, isBound: z.boolean() }).nullable(),
      operator: z.strictObject({ constant: decimal, perMillionGas: decimal }).nullable(),
    }),
  ),
  /** Answers of `ownerOf(id)` and `positions(id)` for positions that the transaction adds to. */
  itemOwners: z
    .array(z.strictObject({ token: address, id: decimal, owner: answer, position: answer }))
    .max(4),
  /** Answers of `totalSupply()`. */
  supplies: z.array(z.strictObject({ token: address, supply: answer })).max(8),
  /** Answer of the transaction as a plain call. */
  call: answer,
  /** Gas, decimal. */
  gasEstimate: readingSchema(decimal),
  /** The transaction made by the runner in the sender's place. */
  simulation: readingSchema(
    z.strictObject({
      success: z.boolean(),
      gasUsed: decimal,
      returned: bytesSchema,
      before: stateSchema,
      after: stateSchema,
      /** The state after the calls that take a deposit back; null where none were made. */
      exit: z.strictObject({ success: z.boolean(), after: stateSchema }).nullable(),
    }),
  ),
  /** Absent where no node offers traces. */
  trace: readingSchema(traceSchema),
  /** Wei of the sender, before it pays for anything. */
  senderBalance: readingSchema(decimal),
  conditions: simulationConditionsSchema,
  /** Whose code runs, according to the trace. It is read only where the node did not apply the fees that were asked for. */
  programs: z.strictObject({
    isCut: z.boolean(),
    list: z.array(watchedProgramSchema.extend({ isCalledByOthers: z.boolean() })).max(24),
  }),
  /** The routers that the service supports: not read from the chain, but needed to decode the calldata. */
  swapRouters: z.array(swapRouterSchema),
  /** The one swap of a transaction to such a router, as amm.swap.guard reads it; null where there is none. */
  swap: z.strictObject(swapOutcomeShape).nullable(),
  /** The service's newest settled observation of the target. */
  previous: observedReadingsSchema.shape.previous,
});

export type TransactionIntentReadings = z.output<typeof transactionIntentReadingsSchema>;
