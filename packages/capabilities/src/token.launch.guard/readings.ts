import { bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../shared/code/fingerprintBytecode.js";
import { selectorScanSchema } from "../shared/code/selectorScan.js";
import { launchPoolsSchema } from "../shared/pools/poolReadings.js";
import {
  simulationConditionsSchema,
  watchedProgramSchema,
} from "../shared/simulation/simulationConditions.js";
import { recordedAddressSchema } from "../shared/words/recordedAddress.js";
import { launchLegSchema, launchTradesSchema } from "./tradeReadings.js";

const address = recordedAddressSchema;
const code = readingSchema(codeFingerprintSchema);
const word = readingSchema(hash32Schema);
/** What a call returned. The reader cuts it, so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);
const scan = readingSchema(selectorScanSchema).nullable();

const trialSchema = z.strictObject({
  /** The call that was accepted. */
  data: bytesSchema,
  sale: launchLegSchema,
});

const exerciseSchema = z.strictObject({
  bought: launchLegSchema,
  /** The sale without any call before it. */
  plainSale: launchLegSchema,
  /** Calls that were accepted and changed how the sale ended. */
  accepted: z.array(trialSchema),
  /** Selectors of calls that were accepted and did not change the sale. */
  unchanged: z.array(bytesSchema),
  /** Selectors of calls that were refused with every argument tried. */
  refused: z.array(bytesSchema),
  /** Selectors of calls that were not tried because gas ran out. */
  untried: z.array(bytesSchema),
});

/** Everything token.launch.guard is judged from, as plain JSON. */
export const tokenLaunchReadingsSchema = z.strictObject({
  code,
  scan,
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
  implementation: z.strictObject({ address, code, scan, isProvable: z.boolean() }).nullable(),
  /** Null when nobody is named. */
  ownerAccount: z.strictObject({ address, code }).nullable(),
  /** The tokens against which pools are searched for: the wrapped native currency and the stablecoin. */
  quotes: z.strictObject({ weth: address, stablecoin: address }),
  pools: launchPoolsSchema,
  /** Trades of fresh accounts in the pools that are deep enough, the deepest first. */
  trades: launchTradesSchema,
  /** The fees under which the trades were simulated, and which of them the code of the token, and behind it, can read. */
  fees: z.strictObject({
    conditions: simulationConditionsSchema,
    programs: z.array(watchedProgramSchema).max(2),
  }),
  /** Sales after a call of the owner or of a stranger; null when there was no pool to sell in. */
  powers: z
    .strictObject({
      caller: address,
      /** The owner or, where the token has none, a fresh account. */
      role: z.enum(["owner", "anyone"]),
      trader: address,
      /** Split into several calls where the gas of one is not enough. */
      exercises: z.array(readingSchema(exerciseSchema)).max(4),
      /** Selectors of unknown meaning that were not tried: they are beyond the bound, or behind a proxy. */
      leftOut: z.array(bytesSchema),
    })
    .nullable(),
  /** Shares of the deepest pair; null when the deepest pool is no pair. */
  liquidity: z
    .strictObject({
      pool: address,
      totalSupply: answer,
      atZero: answer,
      atDead: answer,
      /** Null when nobody is named. */
      atOwner: answer.nullable(),
      atToken: answer,
    })
    .nullable(),
});

export type TokenLaunchReadings = z.output<typeof tokenLaunchReadingsSchema>;
export type LaunchExercise = z.output<typeof exerciseSchema>;
