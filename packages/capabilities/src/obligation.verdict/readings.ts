import {
  addressSchema,
  blockNumberSchema,
  bytesSchema,
  canonicalClaimSchema,
  challengeRecordSchema,
  claimStatuses,
  hash32Schema,
  readingSchema,
} from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../shared/code/fingerprintBytecode.js";
import { upgradeFunctions } from "./listUpgradeFunctions.js";
import { upgradeEvents } from "./upgradeEvents.js";

const word = readingSchema(hash32Schema);
/** What a call returned, cut by the reader so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);
/** Upgrade functions found in somebody's code. */
const functions = readingSchema(z.array(z.enum(upgradeFunctions)));
/** Milliseconds since 1970, as far as a Date reaches. */
const instantMs = z.int().min(0).max(8.64e15);

/** More than these are counted, not shown. */
export const MAX_CHALLENGES_SHOWN = 100;
export const MAX_EVENTS_SHOWN = 50;

const lookSchema = z.strictObject({
  number: blockNumberSchema,
  /** Hash of the block that the chain has at that number now. */
  hash: readingSchema(hash32Schema),
  code: readingSchema(codeFingerprintSchema),
  slots: z.strictObject({
    eip1967Implementation: word,
    eip1967Beacon: word,
    eip1822Implementation: word,
    zeppelinosImplementation: word,
    safeSingleton: word,
  }),
  masterCopy: answer,
  /** Answer of the beacon's `implementation()`; null when no beacon decides. */
  beaconImplementation: answer.nullable(),
});

/** Everything obligation.verdict is judged from, as plain JSON. */
export const obligationVerdictReadingsSchema = z.strictObject({
  /** The block of this call; what decides was read at the blocks of the obligation. */
  block: z.strictObject({ number: blockNumberSchema, hash: hash32Schema, timestamp: z.int().min(0) }),
  /** The reader's clock: a deadline passes by it. */
  observedAtMs: instantMs,
  obligation: z.strictObject({
    claimId: hash32Schema,
    claim: canonicalClaimSchema,
    claimStatus: z.enum(claimStatuses),
    openedAtMs: instantMs,
    openedAtBlock: blockNumberSchema,
    survivalHash: hash32Schema.nullable(),
    /** What the receipt says beside the claim; null where there is none. */
    receipt: z
      .strictObject({
        fromBlockHash: hash32Schema,
        toBlockHash: hash32Schema,
        implementationAtToBlock: addressSchema.nullable(),
      })
      .nullable(),
    receiptUri: z.string().nullable(),
    logIndex: z.int().nullable(),
  }),
  /** The newest first. */
  challenges: z.array(challengeRecordSchema).max(MAX_CHALLENGES_SHOWN),
  challengesTotal: z.int().min(0),
  /** The subject at the first block of the window; null for a claim about code, which is about the last one only. */
  atFrom: lookSchema.nullable(),
  atTo: lookSchema,
  /** The subject where a challenge is recorded to have shown the obligation false; null where none did. */
  atChallenge: lookSchema.nullable(),
  /** Who could have replaced the code, at the first block of the window; null for a claim about code. */
  control: z
    .strictObject({
      eip1967Admin: word,
      zeppelinosAdmin: word,
      ownFunctions: functions,
      /** Of the code behind the subject; null where there is none. */
      implementationFunctions: functions.nullable(),
      beaconFunctions: functions.nullable(),
    })
    .nullable(),
  /** Logs of the window; null for a claim about code. */
  events: z
    .strictObject({
      emitters: z.array(addressSchema),
      found: z
        .array(
          z.strictObject({
            block: blockNumberSchema,
            emitter: addressSchema,
            event: z.enum(upgradeEvents),
            names: addressSchema.nullable(),
          }),
        )
        .max(MAX_EVENTS_SHOWN),
      /** Unanswered when a part of the window was not read. */
      coverage: readingSchema(z.literal("whole_window")),
    })
    .nullable(),
  /** The subject at blocks that the events point to. */
  looks: z.array(lookSchema),
});

export type ObligationVerdictReadings = z.output<typeof obligationVerdictReadingsSchema>;
/** The challenge that falsified: of an obligation's challenges one at most is recorded as valid. */
export const findCounterexample = (
  challenges: ObligationVerdictReadings["challenges"],
): ObligationVerdictReadings["challenges"][number] | undefined =>
  challenges.find(({ resolution }) => resolution === "counterexample_valid");

export type ObligationLook = z.output<typeof lookSchema>;
