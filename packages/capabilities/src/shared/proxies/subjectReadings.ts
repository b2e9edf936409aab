import { bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../code/fingerprintBytecode.js";
import { recordedAddressSchema } from "../words/recordedAddress.js";

const address = recordedAddressSchema;
const code = readingSchema(codeFingerprintSchema);
const word = readingSchema(hash32Schema);
/** What a call returned, cut by the reader so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);

/** An address the subject delegates to, or its beacon, read at the same block. */
const followedSchema = z.strictObject({
  address,
  code,
  slots: z.strictObject({
    eip1967Implementation: word,
    eip1967Beacon: word,
    eip1822Implementation: word,
    zeppelinosImplementation: word,
    diamondFacets: word,
  }),
  /** Answer of `proxiableUUID()` (ERC-1822), asked of the implementation itself. */
  proxiableUuid: answer,
});

/** Someone the subject names as able to change or command it, read at the same block. */
const controllerSchema = z.strictObject({
  address,
  code,
  /** Answer of its `owner()`; null where it was not asked, as of the subject's own owner. */
  owner: answer.nullable(),
});

/** A contract, what it delegates to and who controls it, as plain JSON. */
export const subjectReadingsSchema = z.strictObject({
  code,
  slots: z.strictObject({
    eip1967Implementation: word,
    eip1967Admin: word,
    eip1967Beacon: word,
    eip1822Implementation: word,
    zeppelinosImplementation: word,
    zeppelinosAdmin: word,
    diamondFacets: word,
    diamondOwner: word,
    safeSingleton: word,
    openZeppelinPausable: word,
  }),
  paused: answer,
  masterCopy: answer,
  facetAddresses: answer,
  /** Answer of `owner()` (ERC-173). */
  owner: answer,
  followed: z.array(followedSchema).max(8),
  /** What the beacon names, with the code found there; null when no beacon is set. */
  beaconImplementation: readingSchema(
    z.strictObject({ implementation: address, code: codeFingerprintSchema }),
  ).nullable(),
  controllers: z.array(controllerSchema).max(5),
});

export type SubjectReadings = z.output<typeof subjectReadingsSchema>;
export type ControllerReadings = z.output<typeof controllerSchema>;
export type FollowedReadings = z.output<typeof followedSchema>;
