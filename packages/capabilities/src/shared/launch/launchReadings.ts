import { bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeAnalysisSchema } from "../code/codeAnalysis.js";
import { programOpcodes } from "../code/describeProgram.js";
import { codeFingerprintSchema } from "../code/fingerprintBytecode.js";
import { lockReadingSchema } from "../machine/lockReading.js";
import { tradeReadingSchema } from "../machine/tradeReading.js";
import { launchPoolsSchema } from "../pools/poolReadings.js";
import { simulationConditionsSchema, watchedProgramSchema } from "../simulation/simulationConditions.js";
import { recordedAddressSchema } from "../words/recordedAddress.js";
import { siblingReadingsSchema } from "./siblingReadings.js";
import {
  amount,
  crowdSchema,
  heldSaleSchema,
  laterSchema,
  launchLegSchema,
  launchTradesSchema,
  rushSchema,
  salesInPartsSchema,
} from "./tradeReadings.js";

const address = recordedAddressSchema;
const code = readingSchema(codeFingerprintSchema);
const word = readingSchema(hash32Schema);
/** What a call returned. The reader cuts it, so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);
const analysis = readingSchema(codeAnalysisSchema);
const change = z.string().regex(/^-?[0-9]{1,78}$/, "must be a whole number");

const trialSchema = z.strictObject({
  /** The call that was accepted; for a sequence, the first of them. */
  data: bytesSchema,
  sale: launchLegSchema,
  /** What the call changed: the token's balances of caller, trader and pool, its supply, what the caller may take from the trader. */
  changes: z.strictObject({
    caller: change,
    trader: change,
    pool: change,
    supply: change,
    allowance: change,
  }),
});

const exerciseSchema = z.strictObject({
  bought: launchLegSchema,
  /** The sale without any call before it. */
  plainSale: launchLegSchema,
  /** Calls that were accepted and changed how the sale ended, a balance or the supply. */
  accepted: z.array(trialSchema),
  /** Selectors of calls that were accepted and changed none of these. */
  unchanged: z.array(bytesSchema),
  /** Selectors of calls that were refused with every argument tried, and the first words of the refusal. */
  refused: z.array(z.strictObject({ selector: bytesSchema, refusal: bytesSchema })),
  /** Selectors of calls that were not tried because gas ran out. */
  untried: z.array(bytesSchema),
});

/** Who acted, and what became of a sale after that. */
const actorSchema = z.strictObject({
  caller: address,
  /**
   * A key that the token names somewhere; a fresh account; or a fresh account that the token was made to take for the holder
   * of a key which nobody has, to see which functions that key opens.
   */
  role: z.enum(["key", "anyone", "pretender"]),
  /** Whether the transaction was the caller's; it was the trader's otherwise. Tried where the program reads the origin. */
  isOrigin: z.boolean(),
  /** Of a pretender, the place of the key. */
  place: z.strictObject({ slot: bytesSchema, offset: z.int().min(0).max(31) }).nullable(),
  /** Split into several calls where the gas of one is not enough. */
  exercises: z.array(readingSchema(exerciseSchema)).max(12),
});

const accountSchema = z.strictObject({
  address,
  code,
  /** What the account says of itself when it is asked as a timelock or as an account of several keys. */
  minDelay: answer.nullable(),
  threshold: answer.nullable(),
  owners: answer.nullable(),
  /** The name of code that is known by its hash. */
  knownAs: z.string().max(128).nullable(),
  /** Of a known timelock, operations that are scheduled on the token or on itself. Left out in older answers. */
  pending: readingSchema(z.int().min(0)).nullable().optional(),
});

const keeperSchema = z.strictObject({
  /** Accounts that its storage names, each tried with each of its functions. */
  keys: z.array(address).max(6),
  /** The largest number in its storage that can be a time after the block; null where there is none. */
  until: z.int().nullable(),
  functions: z.int().min(0),
  /** Functions that nobody may call, even after that time. */
  unexplained: z.array(bytesSchema),
  /** The opcodes of its program that matter. */
  opcodes: z.array(z.enum(programOpcodes)),
  /**
   * The time before which no path of its program calls another contract; null where there is a path that does now, or that more
   * than the time decides about. Left out in older answers.
   */
  staysUntil: z.int().nullable().optional(),
  /** Whether it ever let another account spend the shares. Left out in older answers. */
  approves: z.boolean().optional(),
  /** Calls after which it has fewer shares. */
  drained: readingSchema(z.array(bytesSchema)),
  /** Whether every trial ran. */
  isComplete: z.boolean(),
});

const shareSchema = z.strictObject({
  address,
  /** Shares of a pair, liquidity in positions that are in range, or in V4 what positions are worth or have of the quote. */
  held: answer,
  code,
  /** The name of a published locker, which keeps liquidity for good; its address is known, and its code is not judged. */
  knownAs: z.string().max(80).nullable(),
  /** For a contract, what it lets happen to them; null where that was not tried. */
  keeper: keeperSchema.nullable(),
});

/** Who holds the liquidity of one pool; of V4 more than once where holders have other parts of the quote than of the whole worth. */
const liquiditySchema = z.strictObject({
  pool: address,
  /** Of V4, as in the pools. */
  id: hash32Schema.optional(),
  total: answer,
  shares: z.array(shareSchema).max(24),
  /** Whether events named every holder there ever was. */
  isListed: z.boolean(),
});

/** Everything a launched token is judged from, as plain JSON. */
export const launchReadingsSchema = z.strictObject({
  block: z.strictObject({ number: z.int().min(0), hash: hash32Schema, timestamp: z.int().min(0) }),
  code,
  slots: z.strictObject({
    eip1967Implementation: word,
    eip1967Admin: word,
    eip1967Beacon: word,
    eip1822Implementation: word,
    zeppelinosImplementation: word,
  }),
  /** Answer of `owner()` (ERC-173). */
  owner: answer,
  /** Answer of `getOwner()`, which some tokens have in its place. */
  getOwner: answer,
  totalSupply: answer,
  beaconImplementation: readingSchema(address).nullable(),
  /** The code that runs behind the token; null when there is none, or it is not known which. */
  implementation: z.strictObject({ address, code, isProvable: z.boolean() }).nullable(),
  /** The program that decides about transfers: the token's own or the one behind it. Null where there is none. */
  program: z
    .strictObject({
      analysis,
      opcodes: z.array(z.enum(programOpcodes)),
      /** Instructions that look at whether an account has code, besides the check before a call. */
      looksAtCode: z.boolean(),
      /** Null where the program is too large to follow. */
      locks: lockReadingSchema.nullable().optional(),
      /** What trades depend on; null where the program is too large to follow, left out in older answers. */
      trade: tradeReadingSchema.nullable().optional(),
    })
    .nullable(),
  /** Words of the storage that the program reads as addresses. */
  words: z.array(z.strictObject({ slot: bytesSchema, offset: z.int().min(0).max(31), word })).max(64),
  /** What the token's events say; only where a node gives all of them. */
  events: readingSchema(
    z.strictObject({
      firstBlock: z.int().nullable(),
      count: z.int().min(0),
      /** Members of roles that were granted and not revoked since. */
      roleMembers: z.array(address).max(16),
      everGranted: z.boolean(),
    }),
  ),
  /** Accounts that may hold a key, and how they were found. */
  keys: z
    .array(
      z.strictObject({
        address,
        sources: z.array(z.enum(["owner", "storage", "constant", "event", "creation", "role"])),
      }),
    )
    .max(24),
  accounts: z.array(accountSchema).max(40),
  /** Accounts beyond the bound, which did not act. */
  keysLeftOut: z.int().min(0),
  /** What accounts hold of the token, the largest as events tell. */
  holders: z.array(shareSchema).max(24),
  /** Who received the first tokens. */
  creator: address.nullable(),
  /** Other contracts of the account that created the token; left out in answers from before they were read. */
  siblings: siblingReadingsSchema.optional(),
  /** Of the holders, those whom the creator gave tokens instead of selling them. */
  given: z.array(address).max(24),
  /**
   * Who has tokens that no event names. Null where not all events were read. Left out in answers from before it was read.
   */
  unannounced: z
    .strictObject({
      /** Whether the code that created the token was run; it is not read where another contract created it. */
      isCreationRead: z.boolean(),
      /** Accounts that it gave tokens without an event. */
      created: z.array(address).max(24),
      /** Of the accounts whose balance was read, those that no event names as a receiver. */
      unnamed: z.array(address).max(40),
      /** Whom it let spend what pools have and what counts as burnt. Left out in older answers. */
      grants: z
        .array(z.strictObject({ holder: address, spender: address }))
        .max(8)
        .optional(),
    })
    .nullable()
    .optional(),
  /** Who may spend what pools have and what counts as burnt, where an event says so. Left out in older answers. */
  grants: z
    .array(z.strictObject({ holder: address, spender: address, allowed: answer, code }))
    .max(8)
    .optional(),
  /** The tokens against which pools are searched for: the wrapped native currency and the stablecoin. */
  quotes: z.strictObject({ weth: address, stablecoin: address }),
  pools: launchPoolsSchema,
  /** The contracts that V4 calls in each trade in the pools that were traded in. Left out in older answers. */
  hooks: z
    .array(
      z.strictObject({
        address,
        code,
        opcodes: z.array(z.enum(programOpcodes)),
        /** As for the program of the token. */
        looksAtCode: z.boolean(),
        /** Contracts that its code names. */
        names: z.array(address).max(16),
        /** Whether its program was followed to its end, and treats all swaps alike for ever. Left out in older answers. */
        isSteady: z.boolean().optional(),
        /** The name of one that a launchpad publishes; its address is known, and its code is not judged. */
        knownAs: z.string().max(80).nullable(),
      }),
    )
    .max(8)
    .optional(),
  /** Trades of fresh accounts in the pools that are deep enough, the deepest first. */
  trades: launchTradesSchema,
  crowd: crowdSchema.nullable(),
  /** The same a day after each purchase; null where the program reads no clock. */
  crowdLater: crowdSchema.nullable(),
  /** A purchase, many of others, and the sale, a day later where the clock was replaced; null without a pool. */
  rush: readingSchema(rushSchema).nullable(),
  /** The sale of an account that held the token before; null without a pool in which it could sell. */
  held: readingSchema(heldSaleSchema).nullable().optional(),
  /** What the largest holders get who send the pool a small part of what they have. Left out in older answers. */
  holderSales: z
    .array(z.strictObject({ holder: address, amount, answer, code }))
    .max(8)
    .optional(),
  /** Limits that the token states, in its smallest unit. Left out in older answers. */
  limits: z
    .array(z.strictObject({ kind: z.enum(["transaction", "wallet"]), selector: bytesSchema, answer }))
    .max(4)
    .optional(),
  /** A sale in many parts, a day between two where the clock was replaced; null without a pool. */
  parts: readingSchema(salesInPartsSchema).nullable().optional(),
  /** Sales after a wait; null where the program reads no clock. */
  later: laterSchema.nullable(),
  /**
   * Trades in code to which every account seems to have none, and of further accounts where it looks at the origin;
   * none where the program looks at neither.
   */
  plain: launchTradesSchema,
  /** Contracts that the token calls during a trade, other than the venue's; null where no trade was traced. */
  callees: readingSchema(
    z
      .array(
        z.strictObject({
          address,
          code,
          opcodes: z.array(z.enum(programOpcodes)),
        }),
      )
      .max(12),
  ).nullable(),
  /** The fees under which the trades were simulated, and which of them the code of the token, and behind it, can read. */
  fees: z.strictObject({
    conditions: simulationConditionsSchema,
    programs: z.array(watchedProgramSchema).max(2),
  }),
  /** Null when there was no pool to sell in. */
  actors: z.array(actorSchema).max(24).nullable(),
  /** Selectors that were not tried: they are beyond the bound, or the analysis did not find what they take. */
  leftOut: z.array(bytesSchema),
  liquidity: z.array(liquiditySchema).max(16),
  /** What the deepest pool holds of the token. */
  pooled: amount,
});

export type LaunchReadings = z.output<typeof launchReadingsSchema>;
export type LaunchExercise = z.output<typeof exerciseSchema>;
export type LaunchActor = z.output<typeof actorSchema>;
export type LaunchLiquidity = z.output<typeof liquiditySchema>;
export type LaunchShare = z.output<typeof shareSchema>;
export type LaunchAccount = z.output<typeof accountSchema>;
