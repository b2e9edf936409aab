import {
  addressSchema,
  blockNumberSchema,
  bytesSchema,
  challengeRecordSchema,
  hash32Schema,
  readingSchema,
} from "@assay/protocol";
import { z } from "zod";
import { instantMsSchema, recordedObligationSchema } from "../shared/claims/recordedObligation.js";
import { codeFingerprintSchema } from "../shared/code/fingerprintBytecode.js";
import { upgradeFunctions } from "./listUpgradeFunctions.js";
import { upgradeEvents } from "./upgradeEvents.js";

const word = readingSchema(hash32Schema);
/** What a call returned. The reader cuts it, so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);
/** Upgrade functions found in a contract's code. */
const functions = readingSchema(z.array(z.enum(upgradeFunctions)));

/** Further challenges are counted, but not shown. */
export const MAX_CHALLENGES_SHOWN = 100;
export const MAX_EVENTS_SHOWN = 50;

const observationSchema = z.strictObject({
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
  /** By the reader's clock, which decides whether the deadline has passed. */
  observedAtMs: instantMsSchema,
  obligation: recordedObligationSchema,
  /** The newest first. */
  challenges: z.array(challengeRecordSchema).max(MAX_CHALLENGES_SHOWN),
  challengesTotal: z.int().min(0),
  /** The subject at the first block of the window; null for a claim about code, which is about the last one only. */
  atFrom: observationSchema.nullable(),
  atTo: observationSchema,
  /** The subject at the block where a recorded challenge showed the obligation false; null where none did. */
  atChallenge: observationSchema.nullable(),
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
  /**
   * The subject at blocks that the events point to; observations like those above, under the name they have on the
   * wire.
   */
  looks: z.array(observationSchema),
});

export type ObligationVerdictReadings = z.output<typeof obligationVerdictReadingsSchema>;
/** The challenge that falsified the obligation. At most one is recorded as valid. */
export const findCounterexample = (
  challenges: ObligationVerdictReadings["challenges"],
): ObligationVerdictReadings["challenges"][number] | undefined =>
  challenges.find(({ resolution }) => resolution === "counterexample_valid");

export type SubjectObservation = z.output<typeof observationSchema>;
