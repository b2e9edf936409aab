import {
  artifactIdSchema,
  blockNumberSchema,
  bytesSchema,
  hash32Schema,
  readingSchema,
} from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../code/fingerprintBytecode.js";
import { recordedAddressSchema } from "../words/recordedAddress.js";

const address = readingSchema(recordedAddressSchema);
const word = readingSchema(hash32Schema);
/** What a call returned, cut by the reader so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);

/** What is compared between two observations. `absent` is an answer too: the contract has none. */
export const observedFieldsSchema = z.strictObject({
  codeHash: readingSchema(hash32Schema),
  /** The one address whose code runs behind this one. */
  implementation: address,
  admin: address,
  beacon: address,
  paused: readingSchema(z.boolean()),
  /** What the code runs when it is followed, as one line of text. Earlier records have none. */
  delegates: readingSchema(z.string().max(4096)).optional(),
  /** Hash of what `facets()` answers (ERC-2535). */
  facets: readingSchema(hash32Schema).optional(),
});

/** An earlier observation as the service keeps it; the artifact named is the answer that recorded it. */
const recordedObservationSchema = z.strictObject({
  blockNumber: blockNumberSchema,
  blockHash: hash32Schema,
  artifactId: artifactIdSchema,
  fields: observedFieldsSchema,
});

/** A contract as it is compared with earlier observations of it, as plain JSON. */
export const observedReadingsSchema = z.strictObject({
  block: z.strictObject({
    number: blockNumberSchema,
    hash: hash32Schema,
    /** Unix seconds. */
    timestamp: z.int().min(0),
  }),
  code: readingSchema(codeFingerprintSchema),
  slots: z.strictObject({
    eip1967Implementation: word,
    eip1967Admin: word,
    eip1967Beacon: word,
    eip1822Implementation: word,
    zeppelinosImplementation: word,
    zeppelinosAdmin: word,
    diamondFacets: word,
    safeSingleton: word,
    openZeppelinPausable: word,
  }),
  paused: answer,
  masterCopy: answer,
  /** Answer of the beacon's `implementation()`; null when no beacon is set. */
  beaconImplementation: answer.nullable(),
  /** The newest settled observation at or below this block, from any payer's call; null when there is none. */
  previous: recordedObservationSchema.nullable(),
  /** The first settled observation, where it is at or below this block. */
  baseline: recordedObservationSchema.nullable(),
});

export type ObservedReadings = z.output<typeof observedReadingsSchema>;
export type ObservedFields = z.output<typeof observedFieldsSchema>;
export type RecordedObservation = z.output<typeof recordedObservationSchema>;
