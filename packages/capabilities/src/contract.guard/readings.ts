import { z } from "zod";
import { programReadingSchema } from "../shared/machine/programReading.js";
import type { AccountKind } from "../shared/parties/findKnownAccountCode.js";
import { knownPartySchema } from "../shared/parties/knownParty.js";
import { delegationReadingSchema } from "../shared/proxies/delegationReading.js";
import { subjectReadingsSchema } from "../shared/proxies/subjectReadings.js";
import { recordedAddressSchema } from "../shared/words/recordedAddress.js";

const accountKinds = [
  "safe_proxy",
  "safe_singleton",
  "erc4337",
  "eip7702_delegate",
] as const satisfies AccountKind[];

const accountCodeSchema = z.strictObject({
  name: z.string(),
  version: z.string(),
  kind: z.enum(accountKinds),
  source: z.string(),
});

/** Everything contract.guard is judged from. */
export const contractGuardReadingsSchema = subjectReadingsSchema.extend({
  /** What the paths of the address's own code show; null where it is no program. */
  program: programReadingSchema.nullable(),
  delegation: delegationReadingSchema,
  /** The code that runs behind the address; null where there is none, or where it was not read. */
  behind: z
    .strictObject({
      address: recordedAddressSchema,
      program: programReadingSchema.nullable(),
      /** Where a fixed target passes calls on by itself, over the storage of this address. */
      delegation: delegationReadingSchema.nullable(),
    })
    .nullable(),
  /** What is published about the address, from the registry of this date. */
  known: z.strictObject({
    registryVersion: z.string(),
    party: knownPartySchema.nullable(),
    /** How the code compares with what is published; null where nothing is. */
    standing: z.enum(["matches", "listed", "changed", "unread"]).nullable(),
    /** Published account code at the address, at its fixed target, and at what runs behind it. */
    accounts: z.strictObject({
      own: accountCodeSchema.nullable(),
      target: accountCodeSchema.nullable(),
      behind: accountCodeSchema.nullable(),
    }),
  }),
});
export type ContractGuardReadings = z.output<typeof contractGuardReadingsSchema>;
